import { randomUUID } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { uuidBytes } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import fc from "fast-check";
import { expect, test } from "vitest";

import type { ChangedKeysPage } from "../clients/auth-client.ts";
import { ChangedKeys } from "./changed-keys.ts";
import { KeyTailSet } from "./key-tail-set.ts";

const ACCOUNT = randomUUID();
const KEY = randomUUID();
const tailOf = (id: string) => uuidBytes(id).subarray(10);
const pageOf = (ids: readonly string[], cursor: string, hasMore = false): ChangedKeysPage => {
  return { keyTails: Buffer.concat(ids.map(tailOf)), cursor, hasMore };
};

function reading(
  list: (cursor: string) => Promise<ChangedKeysPage>,
  logger: Logger = silentLogger,
) {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  return { clock, changed: new ChangedKeys({ listChangedKeys: list }, clock, logger) };
}

test("until all pages are read once, no key counts as unchanged", async () => {
  const ids = [randomUUID(), randomUUID()] as const;
  const pages = new Map([
    ["", pageOf([ids[0]], "second", true)],
    ["second", pageOf([ids[1]], "end")],
    ["end", pageOf([], "end")],
  ]);
  const asked: string[] = [];
  const { changed } = reading(async (cursor) => {
    asked.push(cursor);
    expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(asked.length > 2);
    return pages.get(cursor) as ChangedKeysPage;
  });
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(false);
  await changed.read();
  await changed.read();
  expect(asked).toEqual(["", "second", "end"]);
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(true);
  for (const id of ids) expect(changed.isUnchanged(id, ACCOUNT)).toBe(false);
});

test("what was read counts for 4 s from the start of reading, and a failed reading not at all", async () => {
  let isAway = false;
  const { changed, clock } = reading(async () => {
    clock.advance(1_000);
    if (isAway) throw new Error("away");
    return pageOf([], "");
  });
  await changed.read();
  isAway = true;
  await changed.read();
  clock.advance(1_999);
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(true);
  clock.advance(1);
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(false);
  isAway = false;
  await changed.read();
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(true);
});

test("a first page alone proves nothing", async () => {
  const { changed } = reading(async (cursor) => {
    if (cursor === "second") throw new Error("away");
    return pageOf([], "second", true);
  });
  await changed.read();
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(false);
});

test("logs once that the keys cannot be read, and again after they could", async () => {
  const logged: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => void logged.push(text) };
  let isAway = true;
  const { changed } = reading(async () => {
    if (isAway) throw new Error("away");
    return pageOf([], "");
  }, logger);
  for (const away of [true, true, false, true, true]) {
    isAway = away;
    await changed.read();
  }
  expect(logged).toHaveLength(2);
});

test("a revoked key, and for 10 s all keys of an account, count as changed at once", async () => {
  const { changed, clock } = reading(async () => pageOf([], ""));
  await changed.read();
  changed.add({ accountId: randomUUID(), credentialId: KEY });
  expect(changed.isUnchanged(KEY, ACCOUNT)).toBe(false);
  const other = randomUUID();
  changed.add({ accountId: ACCOUNT, credentialId: "a connector" });
  expect(changed.isUnchanged(other, ACCOUNT)).toBe(true);
  changed.add({ accountId: ACCOUNT });
  expect(changed.isUnchanged(other, ACCOUNT)).toBe(false);
  expect(changed.isUnchanged(other, randomUUID())).toBe(true);
  clock.advance(9_999);
  await changed.read();
  expect(changed.isUnchanged(other, ACCOUNT)).toBe(false);
  clock.advance(1);
  await changed.read();
  expect(changed.isUnchanged(other, ACCOUNT)).toBe(true);
});

test("the set has every tail that was added, and few others", () => {
  fc.assert(
    fc.property(fc.array(fc.uuid({ version: [4, 7] })), (ids) => {
      const set = new KeyTailSet();
      for (const id of ids) set.add(tailOf(id), 0);
      return ids.every((id) => set.mayHave(id));
    }),
  );
  const set = new KeyTailSet();
  for (let count = 0; count < 20_000; count += 1) set.add(tailOf(randomUUID()), 0);
  let others = 0;
  for (let count = 0; count < 20_000; count += 1) {
    if (set.mayHave(randomUUID())) others += 1;
  }
  // One in 180,000.
  expect(others).toBeLessThan(10);
});
