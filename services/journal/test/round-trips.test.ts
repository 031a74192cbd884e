import { Database } from "@nutrition/postgres/database";
import type { Transaction } from "@nutrition/postgres/database";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Statement } from "@nutrition/postgres/sql";

import { as, createHarness, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

/** Counts how often a transaction waits for answers before it sends more, without its commit. */
class CountingDatabase extends Database {
  trips = 0;

  override transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    this.trips = 0;
    let isAnswered = true;
    const count = async <Row>(tx: Transaction, statement: Statement): Promise<Row[]> => {
      if (isAnswered) this.trips += 1;
      isAnswered = false;
      const rows = await tx.query<Row>(statement);
      isAnswered = true;
      return rows;
    };
    return super.transaction((tx) => {
      const query = <Row>(statement: Statement) => count<Row>(tx, statement);
      const send = (statement: Statement) => tx.send(statement);
      return work({ isTransaction: true, query, send });
    });
  }
}

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

test("a write waits twice for the database before its commit", async () => {
  const { url } = harness.db;
  const database = new CountingDatabase({ url, schema: "journal", pipelined: true });
  const journal = await harness.start({ database });
  const user = newUser();
  const [item] = resultOf(await logFood(journal, user, { foodText: "egg" })).items;
  expect(database.trips).toBe(2);
  const gateway = journal.client("gateway");
  const about = { item: { itemId: item.id } };
  resultOf(await gateway.editFoodItem({ ...about, replacementText: "2 eggs" }, as(user)));
  expect(database.trips).toBe(2);
  resultOf(await gateway.deleteFoodItem(about, as(user)));
  expect(database.trips).toBe(2);
  expect((await readSummary(journal, user)).entries).toEqual([]);
});
