import { sql } from "@nutrition/postgres/sql";
import {
  accounts,
  activeKeys,
  connections,
  outboxAge,
  outboxMessages,
} from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { reportRecordCounts } from "../src/operations/report-record-counts.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, accountWithKeys, asPerson, makeAccount, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function holdings() {
  await reportRecordCounts(fixture.database);
  return [valueNow(accounts), valueNow(activeKeys), valueNow(connections)];
}

test("metrics report how many accounts, active keys and connections exist", async () => {
  using _ = recordMetrics();
  expect(await holdings()).toEqual([0, 0, 0]);
  const { accountId, keys } = await accountWithKeys(fixture, 3);
  await makeAccount(fixture);
  const grant = { clientId: "c", clientName: "Claude", redirectHost: "claude.ai" };
  const person = asPerson(accountId);
  await fixture.admin.updateAccount({ accountId, hasPremium: true }, CALL);
  await fixture.web.putGrant({ ...grant, scopes: ["service.read"] }, person);
  expect(await holdings()).toEqual([2, 3, 1]);
  await fixture.web.revokeKey({ selector: { case: "keyId", value: keys[0]?.id ?? "" } }, person);
  await fixture.database.query(sql`
    update api_keys set expires_at = now() - interval '1 second' where id = ${keys[1]?.id}`);
  await fixture.web.revokeGrant({ clientId: "c" }, person);
  expect(await holdings()).toEqual([2, 1, 0]);
});

test("metrics report how many upstream deletions are pending, and for how long", async () => {
  using _ = recordMetrics();
  const upstream = { "nutrition.outbox": "upstream_deletions" };
  await reportRecordCounts(fixture.database);
  expect([valueNow(outboxMessages, upstream), valueNow(outboxAge, upstream)]).toEqual([0, 0]);
  const accountId = await makeAccount(fixture);
  const grant = { clientId: "d", clientName: "Claude", redirectHost: "claude.ai" };
  await fixture.web.putGrant({ ...grant, scopes: ["service.read"] }, asPerson(accountId));
  await fixture.database.query(sql`
    insert into upstream_deletions (id, account_id, client_id, sealed_session, due_at, created_at)
    values (gen_random_uuid(), ${accountId}, 'd', 'sealed', now() - interval '10 minutes', now())`);
  await reportRecordCounts(fixture.database);
  expect(valueNow(outboxMessages, upstream)).toBe(1);
  expect(valueNow(outboxAge, upstream)).toBeGreaterThanOrEqual(600);
});

test("metrics report how many mails wait, and for how long", async () => {
  using _ = recordMetrics();
  const mails = { "nutrition.outbox": "mails" };
  const report = async () => {
    await reportRecordCounts(fixture.database);
    return [valueNow(outboxMessages, mails), Math.floor(valueNow(outboxAge, mails) ?? 0)];
  };
  expect(await report()).toEqual([0, 0]);
  await fixture.database.query(sql`
    insert into mails (id, kind, recipient, due_at, created_at) values
      (gen_random_uuid(), 'account_erased', 'ada@example.com', now(), now() - interval '10 minutes'),
      (gen_random_uuid(), 'account_erased', null, now(), now() - interval '20 minutes')`);
  const [count, seconds] = await report();
  expect(count).toBe(1);
  expect(seconds).toBeGreaterThanOrEqual(600);
  expect(seconds).toBeLessThan(1_200);
});
