import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Installation } from "../rotation/installation.ts";

const SEED = join(import.meta.dirname, "../../deploy/local/src/seed.ts");
const TIMEOUT_MS = 240_000;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.start();
}, 120_000);
afterAll(() => installation[Symbol.asyncDispose]());

async function seed(): Promise<string> {
  const { PATH } = process.env;
  const env = { PATH, ...installation.operator };
  const { stdout } = await promisify(execFile)(process.execPath, [SEED], { env });
  return /service_live_\S+/.exec(stdout)?.[0] ?? "";
}

async function daysWith(key: string): Promise<{ status: number; items: number }> {
  const response = await fetch(`${installation.baseUrl}/api/v1/food-entries?limit=90`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { entries = [] } = (await response.json()) as { entries?: { items: unknown[] }[] };
  const items = entries.reduce((sum, entry) => sum + entry.items.length, 0);
  return { status: response.status, items };
}

test(
  "seeding fills a journal once, however often it runs, and the last key works",
  async () => {
    const first = await seed();
    const filled = await daysWith(first);
    expect(filled.items).toBeGreaterThan(100);
    const second = await seed();
    expect(await daysWith(second)).toEqual(filled);
    await expect.poll(async () => (await daysWith(first)).status).toBe(401);
  },
  TIMEOUT_MS,
);
