import { randomUUID } from "node:crypto";

import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { AccountMemory } from "../src/decisions/account-memory.ts";
import { Batcher } from "../src/decisions/batcher.ts";
import { PolicySet } from "../src/domain/policy.ts";
import type { Policy } from "../src/domain/policy.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { accountSubject, connectorSubject } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { settleReservation } from "../src/operations/settle-reservation.ts";
import { keyRequest } from "./load.ts";
import { findExcess, findFullestWindows } from "./oracle.ts";
import { PreviousVersion } from "./previous-version.ts";
import type { Setting } from "./setup.ts";
import { createSetting } from "./setup.ts";

const HOUR = { eachJournalDate: false, windowSeconds: 3_600 };
const KNOWN_TO_BOTH: Policy[] = [
  { ...HOUR, name: "key-hour", counts: "api_key_requests", max: 25 },
  { ...HOUR, name: "connector-hour", counts: "connector_requests", max: 40 },
  { ...HOUR, name: "mutations-hour", counts: "mutations", max: 30 },
  { ...HOUR, name: "logs-hour", counts: "mutations", kinds: ["log"], max: 12 },
  { ...HOUR, name: "lines-hour", counts: "lines", max: 50 },
];
const ACCOUNT_HOUR: Policy = { ...HOUR, name: "account-hour", counts: "requests", max: 1_000 };
const KEYS = 3;
const ASKED = 900;
const CALLERS = 24;

let setting: Setting;

beforeAll(async () => {
  setting = await createSetting();
  await cleanUp(setting.test.database, 35);
});

afterAll(() => setting[Symbol.asyncDispose]());

type Decide = (limitRequest: LimitRequest) => Promise<boolean>;

/** Two instances of each version, which share only the database. */
function startInstances(stack: AsyncDisposableStack): Decide[] {
  const { url, schema } = setting.test;
  const open = () => stack.use(new Database({ url, schema, maxConnections: 2 }));
  const policies = new PolicySet("new", [...KNOWN_TO_BOTH, ACCOUNT_HOUR], []);
  const currentInstance = () => {
    const [database, known] = [open(), new AccountMemory()];
    const decideMany = async (limitRequests: readonly LimitRequest[]) =>
      (await decideBatch(database, limitRequests, { policies, holdMs: 60_000, known })).decisions;
    const batcher = stack.use(new Batcher(decideMany, 4_096));
    return async (limitRequest: LimitRequest) => (await batcher.decide(limitRequest)).allowed;
  };
  const previous = () => {
    const version = new PreviousVersion(open(), KNOWN_TO_BOTH);
    let last: Promise<unknown> = Promise.resolve();
    // One transaction at a time, as its cache requires.
    return (limitRequest: LimitRequest) => {
      const decision = last.then(async () => (await version.decide([limitRequest]))[0] ?? false);
      last = decision.catch(() => undefined);
      return decision;
    };
  };
  return [currentInstance(), previous(), currentInstance(), previous()];
}

function anyLimitRequest(accountId: string, keyIds: readonly string[]): LimitRequest {
  const choice = Math.floor(Math.random() * 6);
  const keyId = keyIds[choice];
  const request = keyRequest(keyId ?? "assistant", accountId);
  if (keyId) return request;
  if (choice === KEYS) {
    const subject = connectorSubject(accountId, "assistant");
    return { ...request, subject, subjectKind: "connector" };
  }
  const isLog = choice === KEYS + 1;
  return {
    ...request,
    subject: accountSubject(accountId),
    subjectKind: "account",
    kind: isLog ? "log" : "delete",
    lines: isLog ? 1 + Math.floor(Math.random() * 6) : 0,
    journalDate: "2026-11-21",
    reservationId: randomUUID(),
  };
}

test("instances of the previous and this version exceed no common limit and refuse nobody early", async () => {
  await using stack = new AsyncDisposableStack();
  const instances = startInstances(stack);
  const { database } = setting.test;
  const accounts = [randomUUID(), randomUUID()].map((accountId) => ({
    accountId,
    keyIds: Array.from({ length: KEYS }, () => randomUUID()),
  }));
  let asked = 0;
  const caller = async () => {
    while (asked++ < ASKED) {
      const { accountId, keyIds } = accounts[asked % accounts.length]!;
      const limitRequest = anyLimitRequest(accountId, keyIds);
      const decide = instances[Math.floor(Math.random() * instances.length)] as Decide;
      const { reservationId } = limitRequest;
      if (!(await decide(limitRequest)) || reservationId === null) continue;
      const settlement = Math.random() < 0.5 ? "released" : "committed";
      await settleReservation(database, reservationId, settlement);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));

  expect(await findExcess(database, KNOWN_TO_BOTH)).toEqual([]);
  const windows = await findFullestWindows(database, [...KNOWN_TO_BOTH, ACCOUNT_HOUR]);
  const fullest = (policy: string, subject: string) =>
    windows.find((window) => window.policy === policy && window.subject === subject)?.units;
  for (const { accountId, keyIds } of accounts) {
    // Each was asked for far more than fits, and nothing was released.
    for (const keyId of keyIds) expect(fullest("key-hour", `key:${keyId}`)).toBe(25);
    expect(fullest("connector-hour", connectorSubject(accountId, "assistant"))).toBe(40);
    expect(fullest("account-hour", accountSubject(accountId))).toBe(3 * 25 + 40);
    await expectRoomToBeKnown(accountId, instances);
  }
});

/** Every instance allows a write exactly when the log has room for it. */
async function expectRoomToBeKnown(accountId: string, instances: Decide[]): Promise<void> {
  const { database } = setting.test;
  for (const decide of instances) {
    const [counted] = await database.query<{ units: number }>(sql`select count(*)::int as units
      from usage_events where subject = ${accountSubject(accountId)} and state <> 'released'`);
    const limitRequest = { ...anyLimitRequest(accountId, []), reservationId: randomUUID() };
    const subject = accountSubject(accountId);
    const write: LimitRequest = {
      ...limitRequest,
      subject,
      subjectKind: "account",
      kind: "delete",
      lines: 0,
    };
    expect(await decide(write)).toBe((counted?.units ?? 0) < 30);
  }
}
