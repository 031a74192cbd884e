import { randomUUID } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { LimitsService, SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { PersonOutcome, WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { createClient } from "@nutrition/rpc/client";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../src/config.ts";
import { describeRemains, eraseAccount } from "../src/erase-account.ts";
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
  expect(await eraseAccount(operator.clients, email, clock)).toMatchObject({ id, existed: true });
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(5_000);
  expect(await tablesWith(id, email, keyId)).toEqual([]);
  expect(await unitsCounted()).toBe(units + 1);
  expect(await tablesWith(other.id, other.email, other.keyId)).toEqual(before);
  const instant = new ManualClock("2026-11-21T12:00:00Z");
  expect(await eraseAccount(operator.clients, id.toUpperCase(), instant)).toEqual({
    id,
    existed: false,
    person: "none",
    subject: null,
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
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`The account ${id} was erased.\nNobody had signed in to it.`);
  expect((await operator.run("accounts", "erase", email, "--yes")).stderr).toContain(
    "This account does not exist",
  );
});

/** An account with a person who signed in, and an operator whose pages answer with `outcome`. */
async function signedInAccount(outcome?: PersonOutcome) {
  const { id, email } = await operator.createAccount();
  const { environment, identity } = operator.services;
  const [authAddress, issuer] = [environment["AUTH_ADDRESS"]!, identity.issuer("web")];
  const transport = new UnaryTransport({ address: authAddress, issuer });
  const claims = { issuer: "https://id", subject: randomUUID(), email, emailVerified: true };
  const web = createClient(AuthService, transport);
  await web.signIn({ claims }, { timeoutMs: 5_000 });
  const resources = new AsyncDisposableStack();
  resources.defer(() => transport.close());
  if (outcome === undefined)
    return { id, subject: claims.subject, clients: operator.clients, web, resources };
  const binding = bind(
    WebService,
    { finishErasure: async () => ({ outcome }) },
    { finishErasure: { callers: ["admin"], user: "none" } },
  );
  const pages = await startRpcServer({
    host: "127.0.0.1",
    port: 0,
    identity: identity.verifier("web"),
    logger: silentLogger,
    services: [binding],
  });
  resources.use(pages);
  const clients = new Services(() => readConfig({ ...environment, WEB_ADDRESS: pages.address }));
  resources.use(clients);
  return { id, subject: claims.subject, clients, web, resources };
}

const instantly = () => new ManualClock("2026-11-21T12:00:00Z");

test.each([
  [PersonOutcome.DELETED, "deleted", "has deleted the person, too"],
  [PersonOutcome.KEPT, "kept", "still knows the person"],
  [PersonOutcome.ELSEWHERE, "pending", "as soon as they can"],
  [undefined, "pending", "as soon as they can"],
])(
  "the operator is told that the pages answered %s about the person at the provider",
  async (outcome, person, text) => {
    const { id, subject, clients, resources } = await signedInAccount(outcome);
    await using _ = resources;
    const erased = await eraseAccount(clients, id, instantly());
    expect(erased).toEqual({ id, existed: true, subject, person });
    const remains = describeRemains(erased).join();
    expect(remains).toContain(text);
    if (person !== "deleted") expect(remains).toContain(subject);
  },
);

test("the person at the provider stays due until the pages have deleted them, also when the command runs twice", async () => {
  const { id, subject, clients, web, resources } = await signedInAccount();
  await using _ = resources;
  await eraseAccount(clients, id, instantly());
  expect(await eraseAccount(clients, id, instantly())).toMatchObject({ existed: false, subject });
  const { erasures } = await web.takeErasures({ accountId: id }, { timeoutMs: 5_000 });
  expect(erasures).toMatchObject([{ accountId: id, subject }]);
  await web.finishErasure({ accountId: id }, { timeoutMs: 5_000 });
  expect(await tablesWith(id, subject)).toEqual([]);
});
