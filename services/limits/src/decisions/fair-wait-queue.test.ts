import fc from "fast-check";
import { expect, test } from "vitest";

import { FairWaitQueue } from "./fair-wait-queue.ts";

interface Item {
  limitRequest: { accountId: string };
  number: number;
}

const item = (accountId: string, number: number): Item => ({ limitRequest: { accountId }, number });
const isFree = () => true;
const numbersOf = (items: Item[]) => items.map(({ number }) => number);

test("interleaves the requests of an account with many waiting with those of others", () => {
  const line = new FairWaitQueue<Item>();
  for (let number = 0; number < 200; number += 1) line.push(item("many", number));
  line.push(item("one", 1_000));
  line.push(item("two", 2_000));
  expect(numbersOf(line.take(4, isFree))).toEqual([0, 1_000, 2_000, 1]);
});

test("an account that did not fit into one batch comes first in the next", () => {
  const line = new FairWaitQueue<Item>();
  for (const name of ["a", "b", "c"]) for (const number of [1, 2]) line.push(item(name, number));
  const names = () => line.take(2, isFree).map(({ limitRequest }) => limitRequest.accountId);
  expect([names(), names(), names(), names()]).toEqual([["a", "b"], ["c", "a"], ["b", "c"], []]);
});

test("takes each request once, in order within an account, and skips busy accounts", () => {
  const accounts = fc.constantFrom("a", "b", "c", "d");
  const step = fc.oneof(
    fc.record({ push: accounts }),
    fc.record({ most: fc.nat(5), busy: accounts }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const line = new FairWaitQueue<Item>();
      const taken: Item[] = [];
      let pushed = 0;
      for (const each of steps) {
        if ("push" in each) line.push(item(each.push, pushed++));
        else {
          const batch = line.take(each.most, (accountId) => accountId !== each.busy);
          expect(batch.length).toBeLessThanOrEqual(each.most);
          expect(batch.some(({ limitRequest }) => limitRequest.accountId === each.busy)).toBe(
            false,
          );
          taken.push(...batch);
        }
        expect(line.size).toBe(pushed - taken.length);
      }
      taken.push(...line.take(Infinity, isFree));
      expect(taken).toHaveLength(pushed);
      for (const own of Map.groupBy(taken, ({ limitRequest }) => limitRequest.accountId).values()) {
        expect(numbersOf(own)).toEqual(numbersOf(own).toSorted((a, b) => a - b));
      }
    }),
  );
});
