import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "admin-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = { kty: "OKP", crv: "Ed25519", x: "public", d: "private-part" };

const RUN = {
  auth_address: "127.0.0.1:1",
  journal_address: "127.0.0.1:2",
  limits_address: "127.0.0.1:3",
  analysis_address: "127.0.0.1:4",
  private_key: KEY,
};

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("the launcher's file is enough", () => {
  const { addresses, privateKey } = readConfig({}, fileWith("good.json", JSON.stringify(RUN)));
  expect(addresses).toMatchObject({ auth: "127.0.0.1:1", analysis: "127.0.0.1:4" });
  expect(privateKey).toEqual(KEY);
});

test("the environment comes before the file, and an empty variable is none", () => {
  const env = { AUTH_ADDRESS: "auth:4701", JOURNAL_ADDRESS: "" };
  const { addresses } = readConfig(env, fileWith("both.json", JSON.stringify(RUN)));
  expect(addresses).toMatchObject({ auth: "auth:4701", journal: "127.0.0.1:2" });
});

test("the environment alone is enough", () => {
  const env = { AUTH_ADDRESS: "auth:4701", IDENTITY_PRIVATE_KEY: JSON.stringify(KEY) };
  const { addresses } = readConfig(env, join(folder, "none.json"));
  expect(addresses).toMatchObject({ auth: "auth:4701", journal: undefined });
});

test("without a file and a key, the way out is npm start", () => {
  expect(() => readConfig({}, join(folder, "none.json"))).toThrow("npm start");
});

test("a broken file or key is named, and nothing of it is shown", () => {
  const path = fileWith("broken.json", JSON.stringify(RUN).slice(0, -2));
  expect(() => readConfig({}, path)).toThrow("broken.json");
  expect(() => readConfig({}, path)).not.toThrow("private-part");
  const env = { IDENTITY_PRIVATE_KEY: "private-part" };
  expect(() => readConfig(env, join(folder, "none.json"))).toThrow("IDENTITY_PRIVATE_KEY");
  expect(() => readConfig(env, join(folder, "none.json"))).not.toThrow("private-part");
});
