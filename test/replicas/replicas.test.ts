import { join } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR, RPC_SERVICES } from "@nutrition/local/topology";
import { afterAll, beforeAll, expect, test } from "vitest";

import { withClient } from "../bench/edge/databases.ts";
import type { Environment } from "../bench/edge/environment.ts";
import { startEnvironment } from "../bench/edge/environment.ts";
import { callsOf, Replicas } from "../bench/replicas/fleet.ts";
import { createPeopleDatabase } from "../bench/scale/databases.ts";
import type { Person } from "../bench/scale/people.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import { Readers, statusOf } from "./readers.ts";

const DATABASE = "replicas";
const PEOPLE = 400;
const TODAY = "/api/v1/nutrition/summary";
const ME = "/api/v1/me";
/** Requests an hour of one person; others may ask 10,000 times. */
const FEW = 20;
/** Methods of each service that the reads call; gateways verify keys themselves. */
const METHODS = {
  auth: ["GetProfile"],
  limits: ["Count"],
  journal: ["GetSummary", "GetSettings"],
} as const;
/** Of an equal share. */
const SPREAD = 0.15;
const CALLS_COUNTED = 600;
/** Callers look for new instances every 5 s. */
const FOUND = { timeout: 10_000 };
const TIMEOUT_MS = 480_000;

let environment: Environment;
let people: readonly Person[];
let replicas: Replicas;
const keysFrom = (first: number, count: number) =>
  people.slice(first, first + count).map(({ apiKey }) => apiKey);

beforeAll(async () => {
  environment = await startEnvironment();
  const file = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(file, [...SERVICE_NAMES, OPERATOR]);
  const wanted = { name: DATABASE, accounts: PEOPLE };
  ({ people } = await createPeopleDatabase(environment, secrets, wanted));
  const subject = `key:${await keyIdOf(people[0] as Person)}`;
  const overrides = [{ subject, policy: "key-hour", max: FEW }];
  const options = { environment, secrets, profile: undefined, database: DATABASE, overrides };
  replicas = await Replicas.start(options, 2);
}, 180_000);
afterAll(async () => {
  await replicas?.[Symbol.asyncDispose]();
  await environment?.[Symbol.asyncDispose]();
});

async function keyIdOf({ accountId }: Person): Promise<string> {
  return withClient(environment.databaseUrl(DATABASE), async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "select id from auth.api_keys where account_id = $1",
      [accountId],
    );
    return rows[0]?.id ?? "";
  });
}

/** Reads until each service has had enough calls; every instance must have had its share of them. */
async function expectEqualShares(readers: Readers): Promise<void> {
  const names = Object.keys(METHODS) as (keyof typeof METHODS)[];
  const count = () => Promise.all(names.map((name) => callsOf(replicas, name, METHODS[name])));
  const before = await count();
  const enough = readers.answers + CALLS_COUNTED;
  await expect.poll(() => readers.answers, { timeout: 120_000 }).toBeGreaterThan(enough);
  const after = await count();
  for (const [index, name] of names.entries()) {
    const calls = (after[index] ?? []).map((each, one) => each - (before[index]?.[one] ?? 0));
    const equal = calls.reduce((sum, each) => sum + each, 0) / calls.length;
    console.log(`${name}: ${calls.join(", ")} calls`);
    for (const each of calls) expect(Math.abs(each / equal - 1)).toBeLessThan(SPREAD);
  }
}

test(
  "two of each service share the work, a third is found, and one that leaves fails no request",
  async () => {
    const readers = new Readers(replicas, {
      keys: keysFrom(100, 300),
      paths: [TODAY, ME],
      count: 8,
    });
    try {
      await expectEqualShares(readers);
      for (const name of RPC_SERVICES) {
        readers.phase = `adding ${name}`;
        const added = await replicas.add(name);
        // Analysis is asked by writes alone.
        if (name === "analysis") continue;
        const [method] = METHODS[name];
        const called = async () => (await added.callsByMethod()).get(method) ?? 0;
        await expect.poll(called, FOUND).toBeGreaterThan(0);
      }
      await replicas.add("gateway");
      await expectEqualShares(readers);
      for (const name of [...RPC_SERVICES, "gateway"] as const) {
        readers.phase = `removing ${name}`;
        expect([name, await replicas.remove(name)]).toEqual([name, 0]);
      }
      await expectEqualShares(readers);
    } finally {
      await readers[Symbol.asyncDispose]();
    }
    expect(readers.failures).toEqual([]);
  },
  TIMEOUT_MS,
);

test("a limit holds to the request over all instances", async () => {
  const key = people[0]?.apiKey ?? "";
  const asked = Array.from({ length: 4 * FEW }, (_, index) =>
    statusOf((replicas.baseUrls[index % 2] ?? "") + TODAY, key),
  );
  const statuses = await Promise.all(asked);
  const countOf = (status: number) => statuses.filter((one) => one === status).length;
  // The account called ten times a day, but at least three hours ago, so only these calls count.
  expect([countOf(200), countOf(429)]).toEqual([FEW, 3 * FEW]);
});

test("a write through one gateway can be read through the others at once", async () => {
  const { apiKey } = people[1] as Person;
  for (const [index, baseUrl] of replicas.baseUrls.entries()) {
    await using assistant = await connectAssistant(baseUrl, apiKey);
    const food = `${index + 2} boiled eggs`;
    const { isError } = await assistant.call("log_food", { food_text: food });
    expect(isError).toBe(false);
    for (const other of replicas.baseUrls) {
      const headers = { authorization: `Bearer ${apiKey}` };
      expect(await (await fetch(other + TODAY, { headers })).text()).toContain(food);
    }
  }
});

test("a key that ends is refused by every instance from then on", async () => {
  const person = people[2] as Person;
  const ask = () => Promise.all(replicas.baseUrls.map((url) => statusOf(url + ME, person.apiKey)));
  expect(new Set(await ask())).toEqual(new Set([200]));
  await withClient(environment.databaseUrl(DATABASE), (client) =>
    client.query("update auth.api_keys set revoked_at = now(), slot = null where account_id = $1", [
      person.accountId,
    ]),
  );
  await expect.poll(ask, FOUND).toEqual(replicas.baseUrls.map(() => 401));
  for (let turn = 0; turn < 10; turn += 1) expect(await ask()).not.toContain(200);
});
