import { randomUUID } from "node:crypto";

import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { createTestDatabase } from "@nutrition/postgres/testing";

import { Batcher } from "../src/decisions/batcher.ts";
import { Decider } from "../src/decisions/decider.ts";
import { DenyCache } from "../src/decisions/deny-cache.ts";
import { RefusalTally } from "../src/decisions/refusal-tally.ts";
import type { Intent } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { keyIntent, keyPolicies, runLoad } from "./load.ts";
import type { LoadResult } from "./load.ts";
import { findExcess } from "./oracle.ts";
import { MIGRATIONS } from "./setup.ts";

const SUBJECTS = 1_000;
const policies = keyPolicies([10_000, 3_600], [10_000, 86_400]);

/**
 * Measures decisions in this process against the PostgreSQL at TEST_DATABASE_URL, which should
 * have fsync on: batches at several numbers of callers, and a transaction per decision beside them.
 */
async function main(): Promise<void> {
  await using test = await createTestDatabase("limits", MIGRATIONS);
  await cleanUp(test.database, 35);
  await using database = new Database({ url: test.url, schema: "limits", maxConnections: 16 });
  const keys = Array.from({ length: SUBJECTS }, () => randomUUID());
  const accounts = keys.map(() => randomUUID());
  const nextIntent = (index: number) =>
    keyIntent(keys[index % SUBJECTS] as string, accounts[index % SUBJECTS]);
  const decideMany = (intents: readonly Intent[]) =>
    decideBatch(database, intents, { policies, holdMs: 60_000 });

  await using batcher = new Batcher(decideMany, 4_096);
  const inBatches = (intent: Intent) => batcher.decide(intent);
  const alone = async (intent: Intent) => (await decideMany([intent]))[0]!;
  for (const [callers, total] of [
    [64, 20_000],
    [1, 1_000],
    [64, 60_000],
    [512, 80_000],
  ] as const) {
    print(`batched, ${callers} callers`, await runLoad(inBatches, nextIntent, { callers, total }));
  }
  const single = { callers: 64, total: 5_000 };
  print("a transaction each, 64 callers", await runLoad(alone, nextIntent, single));
  print("refused from memory, 64 callers", await floodFromMemory(database));
  const excess = await findExcess(database, policies.all);
  process.stdout.write(`windows over their limit: ${excess.length}\n`);
}

/** A key that is over its limit and goes on asking. */
async function floodFromMemory(database: Database): Promise<LoadResult> {
  const hour = keyPolicies([120, 3_600]);
  const options = { policies: hour, holdMs: 60_000 };
  await using batcher = new Batcher((intents) => decideBatch(database, intents, options), 4_096);
  const decider = new Decider({
    batcher,
    denyCache: new DenyCache(systemClock, hour.version),
    refusals: new RefusalTally(),
    clock: systemClock,
    policyVersion: () => hour.version,
  });
  const [keyId, accountId] = [randomUUID(), randomUUID()];
  const nextIntent = () => keyIntent(keyId, accountId);
  const decide = (intent: Intent) => decider.decide(intent);
  await runLoad(decide, nextIntent, { callers: 64, total: 1_000 });
  return runLoad(decide, nextIntent, { callers: 64, total: 500_000 });
}

function print(name: string, result: LoadResult): void {
  const { allowed, refused, decisionsPerSecond, p50Ms, p99Ms } = result;
  const rate = Math.round(decisionsPerSecond);
  const latency = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  process.stdout.write(`${name}: ${rate}/s, ${latency}, ${allowed} allowed, ${refused} refused\n`);
}

await main();
