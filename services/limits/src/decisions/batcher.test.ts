import { Failure } from "@nutrition/core/failure";
import { expect, test } from "vitest";

import { setUpBatcher } from "../../test/batcher-setup.ts";

test("requests that arrive during a batch go into the next, and each gets its own answer", async () => {
  const { batches, ask, begun, sizes } = setUpBatcher();
  const first = ask(1);
  await begun(1);
  const later = [ask(2), ask(3), ask(4)];
  batches[0]?.end.resolve();
  await begun(2);
  batches[1]?.end.resolve();
  const answers = await Promise.all([first, ...later]);
  expect(answers).toMatchObject([1, 2, 3, 4].map((atUs) => ({ atUs })));
  expect(sizes()).toEqual([1, 3]);
});

test("many waiting requests are split between two concurrent batches of at most 256", async () => {
  const { batches, ask, begun, sizes } = setUpBatcher();
  const answers = Array.from({ length: 600 }, (_, number) => ask(number, { key: number }));
  await begun(2);
  batches[0]?.end.resolve();
  await begun(3);
  for (const { end } of batches) end.resolve();
  expect(await Promise.all(answers)).toMatchObject(answers.map((_, atUs) => ({ atUs })));
  expect(sizes()).toEqual([256, 256, 88]);
});

test("concurrent batches share no account", async () => {
  const { batches, ask, begun, sizes } = setUpBatcher();
  const keyOf = (number: number) => (number % 3 === 0 ? 0 : number);
  const answers = Array.from({ length: 300 }, (_, number) => ask(number, { key: keyOf(number) }));
  await begun(2);
  const accounts = batches.map(
    ({ limitRequests }) => new Set(limitRequests.map(({ accountId }) => accountId)),
  );
  expect(accounts[1]?.isDisjointFrom(accounts[0] as Set<string>)).toBe(true);
  for (const { end } of batches) end.resolve();
  await begun(3);
  batches[2]?.end.resolve();
  await Promise.all(answers);
  expect(sizes()).toEqual([150, 51, 99]);
});

test("a full queue refuses requests until there is room", async () => {
  const { batches, ask, begun } = setUpBatcher(2);
  const running = ask(1, { key: 1 });
  await begun(1);
  const waiting = [ask(2, { key: 2 }), ask(3, { key: 3 })];
  await expect(ask(4, { key: 4 })).rejects.toMatchObject({
    kind: "unavailable",
    reason: "LIMITS_OVERLOADED",
    retryAfterMs: 1_000,
  });
  batches[0]?.end.resolve();
  await begun(2);
  const next = ask(5, { key: 5 });
  batches[1]?.end.resolve();
  await begun(3);
  batches[2]?.end.resolve();
  expect(await Promise.all([running, ...waiting, next])).toHaveLength(4);
});

test("one account fills at most an eighth of the queue", async () => {
  const { batches, ask, begun } = setUpBatcher(80);
  const first = ask(0);
  await begun(1);
  const waiting = Array.from({ length: 10 }, (_, number) => ask(number));
  await expect(ask(11)).rejects.toMatchObject({
    kind: "resource_exhausted",
    reason: "TOO_MANY_WAITING",
    retryAfterMs: 1_000,
  });
  const other = ask(12, { key: 1 });
  batches[0]?.end.resolve();
  await begun(2);
  batches[1]?.end.resolve();
  expect(await Promise.all([first, ...waiting, other])).toHaveLength(12);
});

test("a failed batch fails all of its requests and no later ones", async () => {
  const { batches, ask, begun } = setUpBatcher();
  const failed = [ask(1), ask(2)];
  await begun(1);
  const next = ask(3);
  batches[0]?.end.reject(new Failure("unavailable", "AWAY", "away"));
  for (const answer of await Promise.allSettled(failed)) {
    expect(answer).toMatchObject({ status: "rejected", reason: { reason: "AWAY" } });
  }
  await begun(2);
  batches[1]?.end.resolve();
  expect(await next).toMatchObject({ atUs: 3 });
});

test("a request cancelled before its batch begins is not counted", async () => {
  const { batches, ask, begun, sizes } = setUpBatcher();
  const first = ask(1);
  await begun(1);
  const caller = new AbortController();
  const givenUp = ask(2, { signal: caller.signal });
  const patient = ask(3);
  caller.abort();
  batches[0]?.end.resolve();
  await expect(givenUp).rejects.toMatchObject({ kind: "cancelled" });
  await begun(2);
  batches[1]?.end.resolve();
  await Promise.all([first, patient]);
  expect(sizes()).toEqual([1, 1]);
});

test("requests behind many cancelled ones are still decided", async () => {
  const { batches, ask, begun } = setUpBatcher();
  const first = ask(0, { key: 999 });
  await begun(1);
  const caller = new AbortController();
  const givenUp = Array.from({ length: 300 }, (_, number) =>
    ask(number, { key: number, signal: caller.signal }),
  );
  const patient = ask(301, { key: 301 });
  caller.abort();
  batches[0]?.end.resolve();
  await begun(2);
  batches[1]?.end.resolve();
  expect(await patient).toMatchObject({ atUs: 301 });
  expect((await Promise.allSettled(givenUp)).map(({ status }) => status)).not.toContain(
    "fulfilled",
  );
  await first;
});

test("disposing waits for all pending requests", async () => {
  const { batcher, batches, ask, begun } = setUpBatcher();
  const answer = ask(1);
  await begun(1);
  const disposed = batcher[Symbol.asyncDispose]();
  batches[0]?.end.resolve();
  await disposed;
  expect(await answer).toMatchObject({ atUs: 1 });
});
