import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createHarness, logFood, newUser, readSummary, refusalOf, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const recordedAt = timestampFromDate(new Date("2026-11-20T00:00:00Z"));

function putWeight(user: UserIdentity, weightId: string) {
  const request = { weightId, weightKg: 70, recordedAt };
  return harness.journal.client("web").putWeight(request, signedIn(user));
}

async function fillWeights({ accountId }: UserIdentity, count: number): Promise<void> {
  await harness.db.database.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    select ${accountId}, gen_random_uuid(), 70, now(), now(), now(), now()
    from generate_series(1, ${count}::int)`);
}

async function countRows(table: "weights" | "weight_counts", { accountId }: UserIdentity) {
  const text = `select * from ${table} where account_id = $1`;
  return (await harness.db.database.query({ text, values: [accountId] })).length;
}

test("an account has at most 20,000 weights, even when several are added concurrently", async () => {
  const user = newUser();
  await fillWeights(user, 19_998);
  const ids = Array.from({ length: 8 }, () => newId());
  const outcomes = await Promise.allSettled(ids.map((id) => putWeight(user, id)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(6);
  expect(refused[0]?.reason).toMatchObject({
    kind: "failed_precondition",
    reason: "TOO_MANY_WEIGHTS",
  });
  expect(await countRows("weights", user)).toBe(20_000);
});

test("a weight can be replaced, and added after another is deleted, although the account is full", async () => {
  const user = newUser();
  const id = newId();
  await putWeight(user, id);
  await fillWeights(user, 19_999);
  await putWeight(user, id);
  await expect(putWeight(user, newId())).rejects.toMatchObject({ kind: "failed_precondition" });
  await harness.journal.client("web").deleteWeight({ weightId: id }, signedIn(user));
  await putWeight(user, newId());
  expect(await countRows("weights", user)).toBe(20_000);
});

test("deleting an account's last weight deletes its weight counter", async () => {
  const user = newUser();
  const id = newId();
  await putWeight(user, id);
  await harness.journal.client("web").deleteWeight({ weightId: id }, signedIn(user));
  expect(await countRows("weight_counts", user)).toBe(0);
});

test("a day has at most 200 lines, even when two calls add the last concurrently, and reservations are released", async () => {
  const user = newUser();
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name} ${index}`).join("\n");
  for (let call = 0; call < 16; call += 1) {
    await logFood(harness.journal, user, { foodText: lines(`egg ${call}`, 12) });
  }
  const gate = harness.analysis.closeGate();
  const last = ["ham", "jam"].map((name) =>
    logFood(harness.journal, user, { foodText: lines(name, 8) }),
  );
  await gate.reached;
  await expect.poll(() => harness.limits.of(user.accountId, "reserved")).toHaveLength(2);
  gate.open();
  const outcomes = await Promise.all(last);
  const refused = outcomes.filter(({ outcome }) => outcome.case === "refusal");
  expect(refused).toHaveLength(1);
  expect(refusalOf(refused[0]!)).toMatchObject({
    code: "limit_exceeded",
    limit: { name: "day_lines", max: 200, requested: 208 },
  });
  const [entry] = (await readSummary(harness.journal, user)).entries;
  expect(entry.items).toHaveLength(200);
  await expect.poll(() => harness.limits.of(user.accountId, "released")).toHaveLength(1);
  const analyses = harness.analysis.requests.length;
  const more = await logFood(harness.journal, user, { foodText: "one more" });
  expect(refusalOf(more).code).toBe("limit_exceeded");
  expect(harness.analysis.requests).toHaveLength(analyses);
});
