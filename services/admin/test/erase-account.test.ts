import { randomUUID } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { LimitsService, SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { createClient } from "@nutrition/rpc/client";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../src/config.ts";
import { eraseAccount } from "../src/erase-account.ts";
import { Services } from "../src/services.ts";
import { Operator } from "./operator.ts";

let operator: Operator;
beforeAll(async () => {
  operator = await Operator.start();
});
afterAll(() => operator[Symbol.asyncDispose]());

/**
 * Counts a request of the account's key, as a gateway does before it learns that the key was
 * revoked.
 */
async function countRequest(accountId: string, credentialId: string): Promise<void> {
  const address = operator.services.environment["LIMITS_ADDRESS"]!;
  const transport = new UnaryTransport({
    address,
    issuer: operator.services.identity.issuer("gateway"),
  });
  const user = { accountId, credentialId, credentialKind: "api_key", scopes: [] } as const;
  const request = {
    requestId: randomUUID(),
    subjectKind: SubjectKind.API_KEY,
    credentialId,
    cost: 1,
  };
  await createClient(LimitsService, transport).count(request, { timeoutMs: 5_000, user });
  transport.close();
}

/** Tables of all services that contain one of the texts anywhere. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [schema, { database }] of Object.entries(operator.services.databases)) {
    const tables = await database.query<{ name: string }>({
      text: "select table_name as name from information_schema.tables where table_schema = $1",
      values: [schema],
    });
    for (const { name } of tables) {
      const text = `select 1 from ${name} t where t::text ilike any($1::text[]) limit 1`;
      const rows = await database.query({ text, values: [texts.map((one) => `%${one}%`)] });
      if (rows.length > 0) found.push(`${schema}.${name}`);
    }
  }
  return found;
}

async function unitsCounted(): Promise<number> {
  const rows = await operator.services.databases.limits.database.query<{ units: number }>({
    text: "select coalesce(sum(cost), 0)::int as units from usage_events",
    values: [],
  });
  return rows[0]!.units;
}

/** A clock on which a gateway counts one more request while the erasure waits. */
class GatewayClock extends ManualClock {
  readonly #meanwhile: () => Promise<void>;

  constructor(meanwhile: () => Promise<void>) {
    super("2026-11-21T12:00:00Z");
    this.#meanwhile = meanwhile;
  }

  override async sleep(ms: number): Promise<void> {
    await this.#meanwhile();
    await super.sleep(ms);
  }
}

test("an erasure leaves no row of the person in any service, and all usage counted", async () => {
  const [{ id, email, keyId }, other] = [
    await operator.createFullAccount(),
    await operator.createFullAccount(),
  ];
  for (const account of [{ id, keyId }, other]) await countRequest(account.id, account.keyId);
  const before = await tablesWith(other.id, other.email, other.keyId);
  expect(before.length).toBeGreaterThan(7);
  expect(await tablesWith(id, email, keyId)).toEqual(before);
  const units = await unitsCounted();
  const clock = new GatewayClock(() => countRequest(id, keyId));
  expect(await eraseAccount(operator.clients, email, clock)).toEqual({ id, existed: true });
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(5_000);
  expect(await tablesWith(id, email, keyId)).toEqual([]);
  expect(await unitsCounted()).toBe(units + 1);
  expect(await tablesWith(other.id, other.email, other.keyId)).toEqual(before);
  const instant = new ManualClock("2026-11-21T12:00:00Z");
  expect(await eraseAccount(operator.clients, id.toUpperCase(), instant)).toEqual({
    id,
    existed: false,
  });
});

test.each(["JOURNAL_ADDRESS", "AUTH_ADDRESS", "LIMITS_ADDRESS"])(
  "an erasure that fails because nothing listens at %s names the command that finishes it",
  async (variable) => {
    const { id, email } = await operator.createFullAccount();
    const environment = { ...operator.services.environment, [variable]: "127.0.0.1:1" };
    using broken = new Services(() => readConfig(environment));
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    const failure = await eraseAccount(broken, id, clock).catch((error: Error) => error.message);
    expect(failure).toContain(`accounts erase ${id} --yes`);
    expect((await eraseAccount(operator.clients, id, clock)).id).toBe(id);
    expect(await tablesWith(id, email)).toEqual([]);
  },
);

test("accounts erase erases from the command line, and only with --yes", async () => {
  const { id, email } = await operator.createAccount();
  const refused = await operator.run("accounts", "erase", email);
  expect(refused).toMatchObject({ stdout: "", exitCode: 2 });
  const { stdout, exitCode } = await operator.run("accounts", "erase", email, "--yes");
  expect({ stdout, exitCode }).toEqual({ stdout: `The account ${id} was erased.\n`, exitCode: 0 });
  expect((await operator.run("accounts", "erase", email, "--yes")).stderr).toContain(
    "This account does not exist",
  );
});
