import { expect, test } from "vitest";

import { readConfig } from "./config.ts";

test("without settings, the default port may give way to the next free one", () => {
  expect(readConfig({}).port).toEqual({ first: 3000, isFixed: false });
});

test("a requested port is the only one that is tried", () => {
  expect(readConfig({ PORT: "8080" }).port).toEqual({ first: 8080, isFixed: true });
});

test.each(["0", "65536", "abc", "80.5", "-1"])(
  "refuses PORT=%s and says what it must be",
  (PORT) => {
    expect(() => readConfig({ PORT })).toThrow("PORT must be a number from 1 to 65535");
  },
);

test.each(["localhost:5432", "mysql://localhost/db"])(
  "refuses DATABASE_URL=%s with an example",
  (DATABASE_URL) => {
    expect(() => readConfig({ DATABASE_URL })).toThrow("postgres://user:password@host");
  },
);

test.each(["/", "journal.example.com"])("refuses BASE_URL=%s with an example", (BASE_URL) => {
  expect(() => readConfig({ BASE_URL })).toThrow("https://journal.example.com");
});

test("strips a trailing slash from the base URL", () => {
  expect(readConfig({ BASE_URL: "https://example.com/" }).baseUrl).toBe("https://example.com");
});

test("requires an identity provider in production", () => {
  expect(() => readConfig({ NODE_ENV: "production" })).toThrow("Set AUTH_URL");
  const AUTH_URL = "https://project.supabase.co/auth/v1/";
  expect(readConfig({ NODE_ENV: "production", AUTH_URL }).authUrl).toBe(
    "https://project.supabase.co/auth/v1",
  );
});

test("npm start refuses DEPLOYMENT=production", () => {
  expect(() => readConfig({ DEPLOYMENT: "production" })).toThrow("npm start is for development");
});

test("refuses an AUTH_URL that is not an address, with an example", () => {
  expect(() => readConfig({ AUTH_URL: "project" })).toThrow("https://project.supabase.co/auth/v1");
});

test("observes requests only when asked to", () => {
  expect(readConfig({}).observe).toBe(false);
  expect(readConfig({}, ["--observe"]).observe).toBe(true);
});

test.each([["--obsreve"], ["observe"], ["--observe=yes"]])(
  "refuses the argument %s and names the valid ones",
  (argument) => {
    expect(() => readConfig({}, [argument])).toThrow(/--observe.*--only.*--inspect.*--watch/s);
  },
);

test("services are chosen by name, and an unknown name lists the valid ones", () => {
  const config = readConfig({}, ["--only", "journal,auth", "--inspect", "journal", "--watch"]);
  expect(config).toMatchObject({ only: ["journal", "auth"], inspect: ["journal"], watch: true });
  expect(readConfig({})).toMatchObject({ only: undefined, inspect: undefined, watch: false });
  expect(() => readConfig({}, ["--only", "jurnal"])).toThrow(
    'There is no service "jurnal". There are',
  );
});
