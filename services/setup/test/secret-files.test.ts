import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ensureSecretFiles } from "../src/secrets/secret-files.ts";
import { runMain } from "./processes.ts";

const DATABASE = "postgres://postgres:5432/nutrition";
const CONTAINERS = ["admin", "analysis", "auth", "gateway", "journal", "limits", "setup", "web"];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

const variablesOf = async (name: string) =>
  parseEnv(await readFile(join(folder, `${name}.env`), "utf8"));

test("each container gets its own file, readable only by its group", async () => {
  const setup = runMain("setup", { DATABASE_ADDRESS: DATABASE }, "files", folder);
  expect(await setup.ended).toMatchObject({ code: 0 });
  const files = await readdir(folder);
  expect(files.filter((name) => name.endsWith(".env"))).toEqual(CONTAINERS.map((n) => `${n}.env`));
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o640);
});

test("passwords and keys are consistent", async () => {
  await ensureSecretFiles(folder, DATABASE);
  const setup = await variablesOf("setup");
  for (const service of ["auth", "journal", "limits", "analysis"]) {
    const { DATABASE_URL: url = "", IDENTITY_TRUSTED_KEYS: trusted = "" } =
      await variablesOf(service);
    const { username, password, host, pathname } = new URL(url);
    expect([username, host, pathname]).toEqual([service, "postgres:5432", "/nutrition"]);
    expect(password).toBe(setup[`DATABASE_PASSWORD_${service.toUpperCase()}`]);
    const { IDENTITY_PRIVATE_KEY: key = "" } = await variablesOf("gateway");
    expect(trusted).toContain((JSON.parse(key) as { x: string }).x);
  }
  const { password } = new URL(setup["DATABASE_ADMIN_URL"] ?? "");
  expect(await readFile(join(folder, "postgres-password"), "utf8")).toBe(password);
});

test("a second run keeps existing secrets", async () => {
  expect(await ensureSecretFiles(folder, DATABASE)).not.toEqual([]);
  const before = await readFile(join(folder, "secrets.json"), "utf8");
  expect(await ensureSecretFiles(folder, DATABASE)).toEqual([]);
  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe(before);
});

test("never replaces an unreadable file of secrets", async () => {
  await writeFile(join(folder, "secrets.json"), "{");
  await expect(ensureSecretFiles(folder, DATABASE)).rejects.toThrow("Restore it from a backup");
  expect(await readdir(folder)).toEqual(["secrets.json"]);
});

test("names a missing database address", async () => {
  const setup = runMain("setup", {}, "files", folder);
  const { code, log } = await setup.ended;
  expect([code, log]).toEqual([1, expect.stringContaining("DATABASE_ADDRESS")]);
});
