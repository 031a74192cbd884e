import { setImmediate as nextTurn } from "node:timers/promises";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { setUpBatcher } from "../../test/batcher-setup.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Ends a batch of one request while another is waiting, so that the next batch expects two. */
async function setUpPair() {
  const setup = setUpBatcher();
  const first = setup.ask(1);
  await nextTurn();
  const second = setup.ask(2);
  setup.batches[0]?.end.resolve();
  await first;
  await nextTurn();
  return { ...setup, second };
}

test("requests of a lone caller are decided at once", async () => {
  const { batches, ask, sizes } = setUpBatcher();
  for (const number of [1, 2, 3]) {
    const answer = ask(number);
    await nextTurn();
    batches[number - 1]?.end.resolve();
    await answer;
  }
  expect(sizes()).toEqual([1, 1, 1]);
});

test("a batch starts once as many requests are waiting as were concurrent before", async () => {
  const { ask, sizes } = await setUpPair();
  expect(sizes()).toEqual([1]);
  void ask(3);
  await nextTurn();
  expect(sizes()).toEqual([1, 2]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a batch starts after 1 ms, and the next one waits only for the requests that had arrived", async () => {
  const { batches, ask, sizes, second } = await setUpPair();
  vi.advanceTimersByTime(1);
  batches[1]?.end.resolve();
  await second;
  void ask(3);
  await nextTurn();
  expect(sizes()).toEqual([1, 1, 1]);
});

test("disposing starts a delayed batch at once", async () => {
  const { batcher, batches, second } = await setUpPair();
  const disposed = batcher[Symbol.asyncDispose]();
  batches[1]?.end.resolve();
  await disposed;
  expect(await second).toMatchObject({ atUs: 2 });
});
