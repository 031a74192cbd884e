import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { publicKeysOf } from "@nutrition/setup/secrets/new-secrets";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readJson } from "./files.ts";
import { loadSecrets } from "./secrets.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secrets-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("secrets stay the same from start to start, and only their owner may read them", async () => {
  const file = join(folder, "kept.json");
  const first = await loadSecrets(file, ["auth"]);
  expect(await loadSecrets(file, ["auth"])).toEqual(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a new service gets its secrets, and the others keep theirs", async () => {
  const file = join(folder, "grown.json");
  const first = await loadSecrets(file, ["auth"]);
  const second = await loadSecrets(file, ["auth", "journal"]);
  expect(second.identityKeys["auth"]).toEqual(first.identityKeys["auth"]);
  expect(second.identityKeys["journal"]).toBeDefined();
  expect(await readJson(file)).toEqual(second);
});

test("published keys contain no private part", async () => {
  const secrets = await loadSecrets(join(folder, "public.json"), ["auth", "journal"]);
  const keys = publicKeysOf(secrets.identityKeys);
  expect(keys).toHaveLength(2);
  for (const key of keys)
    expect(Object.keys(key).sort()).toEqual(["crv", "kid", "kty", "service", "x"]);
});

test("keys of a data folder from before key ids keep their service's name", async () => {
  const file = join(folder, "old.json");
  const { identityKeys } = await loadSecrets(join(folder, "new.json"), ["auth"]);
  const { kid: _, ...old } = identityKeys["auth"]!;
  await writeFile(file, JSON.stringify({ identityKeys: { auth: old } }));
  const grown = await loadSecrets(file, ["auth", "journal"]);
  const keys = publicKeysOf(grown.identityKeys);
  expect(keys[0]).toMatchObject({ service: "auth", kid: "auth", x: old.x });
  expect(keys[1]).toMatchObject({ service: "journal", kid: expect.stringMatching(/^journal-/) });
});

test("names a truncated file in the error", async () => {
  const file = join(folder, "cut.json");
  await writeFile(file, '{"postgres');
  await expect(loadSecrets(file, ["auth"])).rejects.toThrow(`${file} is not JSON`);
});
