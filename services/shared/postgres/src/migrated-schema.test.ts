import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrate } from "./migrate.ts";
import { untilMigrated } from "./migrated-schema.ts";
import { ownerOf, provision } from "./provision.ts";
import type { TestDatabase } from "./testing.ts";
import { createTestDatabase } from "./testing.ts";

const NAME = "waits";

let test: TestDatabase;
let older: string;
let newer: string;
let url: string;

async function folderOf(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-migrations-"));
  for (const name of names) await writeFile(join(folder, name), "select 1;");
  return folder;
}

beforeAll(async () => {
  older = await folderOf("0001_first.sql");
  newer = await folderOf("0001_first.sql", "0002_second.sql");
  test = await createTestDatabase("notebook", older);
  url = Object.assign(new URL(test.url), { username: NAME, password: "of-waits" }).href;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await Promise.all([older, newer].map((folder) => rm(folder, { recursive: true })));
});

/**
 * The operator's steps while a service waits. Each one runs after the service has logged what it
 * waits for.
 */
async function waitWhile(folder: string, ...steps: (() => Promise<unknown>)[]): Promise<string[]> {
  const reasons: string[] = [];
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  clock.sleep = async () => void (await steps.shift()?.());
  const logger = {
    ...silentLogger,
    info: (facts: object) => void reasons.push((facts as { reason: string }).reason),
  };
  const { signal } = new AbortController();
  await untilMigrated({ url, schema: NAME, folder, signal, logger, clock });
  return reasons;
}

const install = async (folder: string) => {
  const role = { name: NAME, password: "of-waits", connectionLimit: 5 };
  await provision(test.url, [role]);
  await migrate({ url: test.url, role: ownerOf(role), schema: NAME, folder });
};

describe("a starting service", () => {
  it("waits for its role, then for each of its migrations, and logs what it waits for", async () => {
    const reasons = await waitWhile(
      newer,
      async () => {},
      () => install(older),
      () => install(newer),
    );
    expect(reasons).toEqual([
      expect.stringContaining(NAME),
      "0002_second.sql has not been applied",
    ]);
  });

  it("does not wait when a newer version has already migrated the schema", async () => {
    expect(await waitWhile(older)).toEqual([]);
  });

  it("waits for an unavailable database", async () => {
    const unreachableUrl = Object.assign(new URL(url), { port: "1" }).href;
    const stop = new AbortController();
    const clock = new ManualClock("2026-01-01T00:00:00Z");
    clock.sleep = async () => stop.abort(new Error("told to stop"));
    const options = { schema: NAME, folder: older, clock, logger: silentLogger };
    const waiting = untilMigrated({ ...options, url: unreachableUrl, signal: stop.signal });
    await expect(waiting).rejects.toThrow("told to stop");
  });
});
