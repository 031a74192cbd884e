import type { Queryable } from "@nutrition/postgres/database";
import { expect, test } from "vitest";

import { SummaryReader } from "./summary-reader.ts";

/** A database that answers each day asked for with its account, and counts the statements. */
function countingDatabase() {
  const batches: number[] = [];
  const db: Queryable = {
    query: async <Row>({ values: [accountIds] }: { values: readonly unknown[] }) => {
      const ids = accountIds as string[];
      batches.push(ids.length);
      if (ids.includes("broken")) throw new Error("away");
      return ids.map((id) => ({ json: id })) as Row[];
    },
  };
  return { db, batches };
}

const day = (accountId: string) => ({ accountId, date: null, now: new Date() });

test("days asked for at once are read together, and each caller gets its own", async () => {
  const { db, batches } = countingDatabase();
  const reader = new SummaryReader(db);
  const ids = Array.from({ length: 100 }, (_, index) => `account-${index}`);
  expect(await Promise.all(ids.map((id) => reader.get(day(id))))).toEqual(ids);
  expect(batches).toEqual([32, 32, 32, 4]);
});

test("a statement that fails is the failure of those in it, and of nobody after", async () => {
  const { db } = countingDatabase();
  const reader = new SummaryReader(db);
  const failing = Promise.allSettled([reader.get(day("a")), reader.get(day("broken"))]);
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await reader.get(day("b"))).toBe("b");
});
