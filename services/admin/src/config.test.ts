import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** A data folder of the launcher whose file contains `text`. */
function dataFolderWith(text: string): string {
  const root = mkdtempSync(join(folder, "data-"));
  mkdirSync(join(root, "run"));
  writeFileSync(join(root, "run/admin.json"), text);
  return root;
}

const RUNNING = () => ({ DATA_DIR: dataFolderWith(JSON.stringify(RUN)) });
const NOT_RUNNING = { DATA_DIR: join(folder, "none") };

test("needs only the launcher's file", () => {
  const { addresses, privateKey } = readConfig(RUNNING());
  expect(addresses).toMatchObject({ auth: "127.0.0.1:1", analysis: "127.0.0.1:4" });
  expect(privateKey).toEqual(KEY);
});

test("prefers the environment to the file, and treats an empty variable as absent", () => {
  const env = { ...RUNNING(), AUTH_ADDRESS: "auth:4701", JOURNAL_ADDRESS: "" };
  expect(readConfig(env).addresses).toMatchObject({
    auth: "auth:4701",
    journal: "127.0.0.1:2",
  });
});

test("needs only the environment", () => {
  const key = JSON.stringify(KEY);
  const env = { ...NOT_RUNNING, AUTH_ADDRESS: "auth:4701", IDENTITY_PRIVATE_KEY: key };
  const { addresses } = readConfig(env);
  expect(addresses).toMatchObject({ auth: "auth:4701", journal: undefined });
});

test("a key in the environment never reaches the local installation", () => {
  const env = {
    ...RUNNING(),
    AUTH_ADDRESS: "auth:4701",
    IDENTITY_PRIVATE_KEY: JSON.stringify(KEY),
  };
  expect(readConfig(env).addresses).toMatchObject({ auth: "auth:4701", journal: undefined });
});

test("refers to npm start when there is neither a file nor a key", () => {
  expect(() => readConfig(NOT_RUNNING)).toThrow("npm start");
});

test("names a broken file or key without showing its content", () => {
  const broken = { DATA_DIR: dataFolderWith(JSON.stringify(RUN).slice(0, -2)) };
  expect(() => readConfig(broken)).toThrow("admin.json");
  expect(() => readConfig(broken)).not.toThrow("private-part");
  const env = { ...NOT_RUNNING, IDENTITY_PRIVATE_KEY: "private-part" };
  expect(() => readConfig(env)).toThrow("IDENTITY_PRIVATE_KEY");
  expect(() => readConfig(env)).not.toThrow("private-part");
});
