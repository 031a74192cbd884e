import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import { readConfig } from "./config.ts";

const PEPPER = randomBytes(32).toString("base64");

const GOOD = {
  DATABASE_URL: "postgres://auth:secret@localhost/nutrition",
  IDENTITY_TRUSTED_KEYS: '{"keys":[]}',
  KEY_PEPPERS: JSON.stringify({ 1: PEPPER, 2: randomBytes(32).toString("base64") }),
  KEY_PEPPER_VERSION: "2",
};

test("reads a complete environment, with defaults for the rest", () => {
  const config = readConfig(GOOD);
  expect(config).toMatchObject({ host: "127.0.0.1", port: 0 });
  expect(config.peppers.hashKey("key").pepperVersion).toBe(2);
});

test("names all invalid variables at once without showing their values", () => {
  const bad = { ...GOOD, KEY_PEPPERS: '{"1":"c2hvcnQ="}', DATABASE_URL: "", RPC_PORT: "x" };
  const read = () => readConfig(bad);
  for (const name of ["KEY_PEPPERS", "DATABASE_URL", "RPC_PORT"]) expect(read).toThrow(name);
  expect(read).not.toThrow("c2hvcnQ=");
});

test("makes Redis optional and validates its address", () => {
  expect(readConfig(GOOD).redisUrl).toBeUndefined();
  const url = "redis://:secret@localhost:6379";
  expect(readConfig({ ...GOOD, REDIS_URL: url }).redisUrl?.reveal()).toBe(url);
  expect(() => readConfig({ ...GOOD, REDIS_URL: "localhost:6379" })).toThrow("REDIS_URL");
});

test("refuses a pepper version without a pepper", () => {
  expect(() => readConfig({ ...GOOD, KEY_PEPPER_VERSION: "3" })).toThrow("KEY_PEPPER_VERSION");
});

const SIGNING = {
  KEY_SIGNING_SECRETS: JSON.stringify({ 2: PEPPER, 255: randomBytes(32).toString("base64") }),
};

test("signs keys only when a signing secret is set", () => {
  expect(readConfig(GOOD).keySigner).toBeUndefined();
  expect(readConfig({ ...GOOD, ...SIGNING }).keySigner).toBeDefined();
});

test.each([
  ["signing secrets without the version of new keys", { 1: PEPPER }],
  ["a version that no key can carry", { 2: PEPPER, 256: PEPPER }],
  ["a short signing secret", { 2: "c2hvcnQ=" }],
])("refuses %s", (_, secrets) => {
  const settings = { KEY_SIGNING_SECRETS: JSON.stringify(secrets) };
  expect(() => readConfig({ ...GOOD, ...settings })).toThrow("KEY_SIGNING_SECRETS");
});

test("prints neither the database's password, nor a pepper, nor a signing secret", async () => {
  const { inspect } = await import("node:util");
  const config = readConfig({ ...GOOD, ...SIGNING, REDIS_URL: "redis://:secret@localhost" });
  const bytes = Buffer.from(PEPPER, "base64");
  for (const text of [inspect(config, { depth: 9 }), JSON.stringify(config)]) {
    expect(text).not.toContain("secret@");
    expect(text).not.toContain(PEPPER);
    expect(text).not.toContain(bytes.toString("hex"));
    expect(text).not.toContain(inspect(bytes).slice(8, 40));
  }
});
