import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { Database } from "@nutrition/postgres/database";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { as, createHarness, logFood, newUser, readSummary, resultOf, signedIn } from "./harness.ts";
import type { Harness, JournalInstance } from "./harness.ts";
import { ObservedDatabase } from "./observed-database.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** An instance whose statements of this name wait until released. */
async function startHolding(name: string) {
  const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
  const journal = await harness.start({ database });
  const letGo = Promise.withResolvers<void>();
  const begun = vi.fn();
  let isHolding = true;
  database.observe = async (moment) => {
    if (moment !== `before ${name}`) return;
    begun();
    if (isHolding) await letGo.promise;
  };
  const open = () => {
    isHolding = false;
    letGo.resolve();
  };
  return { journal, begun, open };
}

const list = (journal: JournalInstance, user: UserIdentity, signal?: AbortSignal) => {
  // Long enough for many that wait for one connection on a busy machine.
  const options = { ...as(user), timeoutMs: 60_000 };
  return journal
    .client("gateway")
    .listEntries({ limit: 90 }, signal ? { ...options, signal } : options);
};

test("fifty big reads of one account take one connection, and other accounts still get their turn", async () => {
  const { journal, begun, open } = await startHolding("list_entries");
  const [big, small] = [newUser(), newUser()];
  const all = Array.from({ length: 50 }, () => list(journal, big));
  await expect.poll(() => begun).toHaveBeenCalledTimes(1);
  const other = list(journal, small);
  await expect.poll(() => begun).toHaveBeenCalledTimes(2);
  // Summaries and writes have connections that lists cannot take.
  expect((await readSummary(journal, big)).entries).toEqual([]);
  expect(resultOf(await logFood(journal, small, { foodText: "egg" })).items).toHaveLength(1);
  expect(begun).toHaveBeenCalledTimes(2);
  open();
  await Promise.all([...all, other]);
});

test("refuses more than an account may have waiting, with the time to retry", async () => {
  const { journal, begun, open } = await startHolding("list_entries");
  const user = newUser();
  const all = Array.from({ length: 70 }, () => list(journal, user));
  const refusals = all.map((read) => read.then(() => "read").catch((error: unknown) => error));
  await expect.poll(() => begun).toHaveBeenCalledTimes(1);
  const first = await Promise.race(refusals);
  expect(first).toMatchObject({ kind: "resource_exhausted", retryAfterMs: 1_000 });
  open();
  const outcomes = await Promise.all(refusals);
  expect(outcomes.filter((outcome) => outcome === "read")).toHaveLength(65);
});

test("a read whose caller disconnected while it waited never reaches PostgreSQL", async () => {
  const { journal, begun, open } = await startHolding("list_entries");
  const user = newUser();
  const first = list(journal, user);
  await expect.poll(() => begun).toHaveBeenCalledTimes(1);
  const caller = new AbortController();
  const hungUp = Array.from({ length: 20 }, () => list(journal, user, caller.signal));
  const outcomes = Promise.allSettled(hungUp);
  // Calls on one connection arrive in order: once this is answered, earlier ones have arrived.
  await readSummary(journal, user);
  caller.abort();
  await outcomes;
  await readSummary(journal, user);
  open();
  await first;
  await list(journal, user);
  expect(begun).toHaveBeenCalledTimes(2);
});

test("no call needs a second connection while it holds one", async () => {
  const { url } = harness.db;
  const database = new Database({ url, schema: "journal", maxConnections: 1 });
  const journal = await harness.start({ database });
  const user = newUser();
  const [gateway, web] = [journal.client("gateway"), journal.client("web")];
  const write = async (index: number) => {
    const logged = resultOf(
      await logFood(journal, user, { foodText: `egg ${index}\ntoast ${index}` }),
    );
    const [first, second] = logged.items.map((item: { id: string }) => item.id);
    const requestId = newId();
    const edit = { item: { itemId: first }, replacementText: `bacon ${index}`, requestId };
    resultOf(await gateway.editFoodItem(edit, as(user)));
    const merge = { itemIds: [first, second], mergedText: `breakfast ${index}`, requestId };
    resultOf(await gateway.mergeFoodItems(merge, as(user)));
    resultOf(await gateway.deleteFoodItem({ item: { itemId: first }, requestId }, as(user)));
  };
  const weigh = async () => {
    const recordedAt = timestampFromDate(harness.clock.now());
    await web.putWeight({ weightId: newId(), weightKg: 70, recordedAt }, signedIn(user));
    await web.updateSettings(
      { settings: { timezone: "Asia/Tokyo" }, updateMask: { paths: ["timezone"] } },
      signedIn(user),
    );
    await web.exportJournal({}, signedIn(user));
    await web.listMutations({}, signedIn(user));
    await readSummary(journal, user);
  };
  await Promise.all([0, 1, 2, 3].flatMap((index) => [write(index), weigh(), list(journal, user)]));
  await journal.client("admin").eraseAccount({ accountId: user.accountId }, as());
});
