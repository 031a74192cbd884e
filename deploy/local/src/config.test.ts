import { expect, test } from "vitest";

import { readConfig } from "./config.ts";

test("without settings the default port may give way to the next free one", () => {
  expect(readConfig({}).port).toEqual({ first: 3000, isFixed: false });
});

test("a port that was asked for is the only one", () => {
  expect(readConfig({ PORT: "8080" }).port).toEqual({ first: 8080, isFixed: true });
});

test.each(["0", "65536", "abc", "80.5", "-1"])("PORT=%s is refused with what it takes", (PORT) => {
  expect(() => readConfig({ PORT })).toThrow("PORT must be a number from 1 to 65535");
});

test.each(["localhost:5432", "mysql://localhost/db"])(
  "DATABASE_URL=%s is refused with an example",
  (DATABASE_URL) => {
    expect(() => readConfig({ DATABASE_URL })).toThrow("postgres://user:password@host");
  },
);

test.each(["/", "journal.example.com"])("BASE_URL=%s is refused with an example", (BASE_URL) => {
  expect(() => readConfig({ BASE_URL })).toThrow("https://journal.example.com");
});

test("a base URL loses its trailing slash", () => {
  expect(readConfig({ BASE_URL: "https://example.com/" }).baseUrl).toBe("https://example.com");
});

test("in production the person's own identity provider has to be named", () => {
  expect(() => readConfig({ NODE_ENV: "production" })).toThrow("Set AUTH_URL");
  const AUTH_URL = "https://project.supabase.co/auth/v1/";
  expect(readConfig({ NODE_ENV: "production", AUTH_URL }).authUrl).toBe(
    "https://project.supabase.co/auth/v1",
  );
});

test("npm start does not pass for production", () => {
  expect(() => readConfig({ DEPLOYMENT: "production" })).toThrow("npm start is for development");
});

test("an AUTH_URL that is no address is refused with an example", () => {
  expect(() => readConfig({ AUTH_URL: "project" })).toThrow("https://project.supabase.co/auth/v1");
});

test("requests are observed only when that is asked for", () => {
  expect(readConfig({}).observe).toBe(false);
  expect(readConfig({}, ["--observe"]).observe).toBe(true);
});

test.each([["--obsreve"], ["observe"], ["--observe=yes"]])(
  "the argument %s is refused with the one there is",
  (argument) => {
    expect(() => readConfig({}, [argument])).toThrow("npm start -- --observe");
  },
);
