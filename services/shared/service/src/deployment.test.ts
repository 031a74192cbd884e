import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";
import { z } from "zod";

import { ConfigError, parseEnvironment } from "./config.ts";

const random = () => randomBytes(32).toString("base64");
const SAFE = {
  DEPLOYMENT: "production",
  INTERNAL_TLS: "mesh",
  BASE_URL: "https://journal.example",
  AUTH_URL: "https://id.example/auth/v1",
  KEY_PEPPERS: JSON.stringify({ 1: random(), 2: random() }),
  SESSION_KEYS: JSON.stringify([randomBytes(32).toString("base64url")]),
  DATABASE_URL: "postgres://journal@db/x",
  REDIS_URL: "redis://redis:6379",
  WEB_URL: "http://web:3100",
};
const FILES = {
  INTERNAL_TLS: "files",
  INTERNAL_TLS_CERT_FILE: "/tls/tls.crt",
  INTERNAL_TLS_KEY_FILE: "/tls/tls.key",
  INTERNAL_TLS_CA_FILE: "/tls/ca.crt",
  DATABASE_URL: "postgres://journal@db/x?sslrootcert=/tls/ca.crt&sslmode=verify-full",
  REDIS_URL: "rediss://redis:6379",
  WEB_URL: "https://web:3100",
};

function messageOf(variables: Record<string, string | undefined>): string {
  try {
    parseEnvironment(z.object({}), variables);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

/** The refused variables. */
function refusals(variables: Record<string, string | undefined>): string[] {
  const lines = messageOf(variables).split("\n").slice(1);
  return lines.map((line) => line.trim().split(":")[0] as string);
}

test("a developer's machine needs no settings", () => {
  expect(refusals({ BASE_URL: "http://localhost:3000", KEY_PEPPERS: '{"1":"short"}' })).toEqual([]);
});

test("production starts with explicit encryption, https and random secrets", () => {
  expect(refusals(SAFE)).toEqual([]);
  expect(refusals({ ...SAFE, ...FILES })).toEqual([]);
  expect(refusals({ ...SAFE, INTERNAL_TLS: "none" })).toEqual([]);
});

test.each([
  ["no INTERNAL_TLS", { INTERNAL_TLS: undefined }, ["INTERNAL_TLS"]],
  ["an empty INTERNAL_TLS", { INTERNAL_TLS: "" }, ["INTERNAL_TLS"]],
  ["plain http", { BASE_URL: "http://journal.example" }, ["BASE_URL"]],
  [
    "the development identity provider",
    { AUTH_URL: "http://127.0.0.1:3001/auth/v1" },
    ["AUTH_URL"],
  ],
  ["a short pepper", { KEY_PEPPERS: '{"1":"c2hvcnQ="}' }, ["KEY_PEPPERS"]],
  [
    "one weak pepper of two",
    { KEY_PEPPERS: JSON.stringify({ 1: random(), 2: "A".repeat(44) }) },
    ["KEY_PEPPERS"],
  ],
  [
    "a weak signing secret",
    { KEY_SIGNING_SECRETS: JSON.stringify({ 1: "A".repeat(44) }) },
    ["KEY_SIGNING_SECRETS"],
  ],
  ["a session key of zeros", { SESSION_KEYS: JSON.stringify(["A".repeat(43)]) }, ["SESSION_KEYS"]],
])("production refuses %s", (_, bad, named) => {
  expect(refusals({ ...SAFE, ...bad })).toEqual(named);
});

test("production says what an address or a secret must be", () => {
  const message = messageOf({
    ...SAFE,
    BASE_URL: "http://journal.example",
    KEY_PEPPERS: '{"1":"c2hvcnQ="}',
  });
  expect(message).toContain("BASE_URL: must begin with https: in production");
  expect(message).toContain("KEY_PEPPERS: must contain secrets of at least 32 random bytes");
});

test("encryption with files requires all of them, and covers the pages, the database and Redis", () => {
  const { DATABASE_URL, REDIS_URL, WEB_URL } = SAFE;
  expect(refusals({ INTERNAL_TLS: "files", DATABASE_URL, REDIS_URL, WEB_URL })).toEqual([
    "INTERNAL_TLS_CERT_FILE",
    "INTERNAL_TLS_KEY_FILE",
    "INTERNAL_TLS_CA_FILE",
    "WEB_URL",
    "DATABASE_URL",
    "REDIS_URL",
  ]);
});

test("refuses an unknown deployment", () => {
  expect(refusals({ DEPLOYMENT: "prod" })).toEqual(["DEPLOYMENT"]);
});

test("no refusal shows a secret", () => {
  const weak = { KEY_PEPPERS: '{"1":"hunter2"}', DATABASE_URL: "postgres://a:hunter2@db/x" };
  const message = messageOf({ ...SAFE, ...FILES, ...weak });
  expect(message).toContain("KEY_PEPPERS");
  expect(message).toContain("DATABASE_URL");
  expect(message).not.toContain("hunter2");
});
