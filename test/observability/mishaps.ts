// The faults of the scenarios: each begins at once, and disposing repairs it.
import { setTimeout as sleep } from "node:timers/promises";

import { generateApiKey } from "@nutrition/core/api-key";
import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { expect } from "vitest";

import { Browser } from "../e2e/browser.ts";
import type { Stack } from "./stack.ts";
import { DAILY_USD, databaseOf, lockTable } from "./stack.ts";

/** Longer than the locks of the slow database, so that reads succeed late. */
const LOCKED_MS = 700;
const CALLERS = 12;
const STATE_TIMEOUT_MS = 10_000;
const COMMITTED_MS = 3_000;
const POLL_MS = 50;
const TRIES_MAX = 5;

/** Repeats each concurrently until disposed. */
export function keepOn(...all: readonly (() => Promise<unknown>)[]): AsyncDisposable {
  const stop = new AbortController();
  const running = all.map(async (work) => {
    while (!stop.signal.aborted) await work();
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

export async function slowDatabase(stack: Stack): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await databaseOf(stack, "journal"));
  // Only one table: a second lock could wait for a transaction that waits for the first.
  const slow = async () => {
    await using _ = await lockTable(database, "items", "access exclusive");
    await sleep(LOCKED_MS);
  };
  starting.use(keepOn(slow));
  return starting.move();
}

/** Made-up tokens and keys, missing credentials, and more reads than a key may send. */
export async function flood({ system }: Stack): Promise<AsyncDisposable> {
  const { key } = await system.account(`${crypto.randomUUID()}@example.com`);
  return keepOn(
    () => system.get("/api/v1/me", generateApiKey().text),
    () => system.get("/api/v1/me", strangersToken()),
    () => system.get("/api/v1/me"),
    () => system.get("/no-such-page"),
    () => system.fetch("/mcp", { method: "POST", body: "no JSON" }),
    () => system.get("/api/v1/me", key),
  );
}

/** More people request weights than the pool has connections, while the table is locked. */
export async function exhaustPool(stack: Stack): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const { system } = stack;
  const database = starting.use(await databaseOf(stack, "journal"));
  const keys = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const { key } = await system.account(`${crypto.randomUUID()}@example.com`);
      return key;
    }),
  );
  const asking = keys.map((key) => () => system.get("/api/v1/weight-history", key));
  starting.use(keepOn(...asking));
  starting.use(await lockTable(database, "weights", "access exclusive"));
  return starting.move();
}

/** As after a failover, or at a provider whose disk fills up. */
export async function makeReadOnly(stack: Stack): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await databaseOf(stack, "limits"));
  const set = async (value: "on" | "off") => {
    await database.transaction(async (tx) => {
      await tx.query(sql`set transaction read write`);
      const text = `alter role limits set default_transaction_read_only = ${value}`;
      await tx.query({ text, values: [] });
    });
    await database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where usename = current_user and pid <> pg_backend_pid()`);
  };
  starting.defer(() => set("off"));
  await set("on");
  return starting.move();
}

export async function loseKeys(stack: Stack): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  starting.use(await stopProvider(stack));
  await stack.processes.killService("gateway");
  return starting.move();
}

/**
 * Strangers meanwhile send made-up tokens, because the gateway fetches unknown keys when a token
 * names one.
 */
export async function stopProvider({ processes, system }: Stack): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  starting.use(await processes.pauseService("identity"));
  starting.use(
    keepOn(async () => {
      await system.get("/api/v1/me", strangersToken()).catch(() => undefined);
      await sleep(100);
    }),
  );
  return starting.move();
}

/**
 * A stranger uses up the hour's mails at the identity provider, whose API is public; then somebody signs up on the
 * pages.
 */
export async function useUpMails({ system }: Stack): Promise<AsyncDisposable> {
  const metadata = await system.get("/.well-known/oauth-protected-resource/mcp");
  const [issuer = ""] = (metadata.body as { authorization_servers: string[] })
    .authorization_servers;
  const signUp = async () => {
    const body = { email: `${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
    const init = { method: "POST", body: JSON.stringify(body) };
    return (await fetch(`${issuer}/signup`, init)).status;
  };
  while ((await signUp()) !== 429);
  await new Browser(system).post("/sign-up", { email: `${crypto.randomUUID()}@example.com` });
  return new AsyncDisposableStack();
}

/** Another instance has spent most of the budget; the load spends the rest. */
export async function spendBudget(stack: Stack): Promise<AsyncDisposable> {
  const database = await databaseOf(stack, "analysis");
  const id = crypto.randomUUID();
  const spent = Math.round((DAILY_USD - 0.01) * 1e6);
  await database.query(sql`insert into model_calls (id, model, lines, cost_micros)
    values (${id}, 'another instance', 1, ${spent})`);
  return {
    async [Symbol.asyncDispose]() {
      await database.query(sql`delete from model_calls where id = ${id}`);
      await database[Symbol.asyncDispose]();
    },
  };
}

export async function loseLimits(stack: Stack): Promise<AsyncDisposable> {
  await using journal = await databaseOf(stack, "journal");
  const untold = async () => (await journal.query(sql`select from outbox`)).length;
  return await provoked(async () => {
    const paused = await (async () => {
      await using held = await holdWrite(stack);
      return held.processes.pauseService("limits");
    })();
    return { paused, isSo: await becomesPositive(untold) };
  });
}

export async function loseJournal(stack: Stack): Promise<AsyncDisposable> {
  return provoked(async () => {
    await using held = await holdWrite(stack);
    const paused = await held.processes.pauseService("journal");
    // The minute after which a reservation counts as overdue.
    const overdue = await held.limits.query(sql`
      update reservations set expires_at = expires_at - interval '2 minutes'
      where state = 'reserved' returning id`);
    return { paused, isSo: overdue.length > 0 };
  });
}

/** Retries, because a reservation may be settled just before everything is paused. */
async function provoked(
  attempt: () => Promise<{ paused: AsyncDisposable; isSo: boolean }>,
): Promise<AsyncDisposable> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { paused, isSo } = await attempt();
    if (isSo) return paused;
    await paused[Symbol.asyncDispose]();
  }
  throw new Error(`The fault did not occur in ${TRIES_MAX} attempts.`);
}

/** Whether `count` becomes positive within the time in which a write is committed. */
async function becomesPositive(count: () => Promise<number>): Promise<boolean> {
  const endMs = performance.now() + COMMITTED_MS;
  while (performance.now() < endMs) {
    if ((await count()) > 0) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * A write of the load has its reservation and is about to be committed; it continues once disposed.
 */
async function holdWrite(stack: Stack) {
  await using starting = new AsyncDisposableStack();
  const limits = starting.use(await databaseOf(stack, "limits"));
  const journal = starting.use(await databaseOf(stack, "journal"));
  starting.use(await lockTable(journal, "mutations", "exclusive"));
  await expect
    .poll(() => countReserved(limits), { timeout: STATE_TIMEOUT_MS, interval: POLL_MS })
    .toBeGreaterThan(0);
  const held = starting.move();
  return {
    limits,
    processes: stack.processes,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function countReserved(limits: Database): Promise<number> {
  const rows = await limits.query(sql`select from reservations where state = 'reserved'`);
  return rows.length;
}

/** A well-formed token with an invalid signature. */
function strangersToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = { alg: "ES256", typ: "JWT", kid: crypto.randomUUID() };
  return `${part(header)}.${part({ sub: crypto.randomUUID() })}.${"A".repeat(86)}`;
}
