import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import {
  dbClientConnectionCount,
  dbClientConnectionMax,
  dbClientConnectionPendingRequests,
  dbClientConnectionWaitTime,
} from "@nutrition/telemetry/metrics/standard";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { Database } from "./database.ts";
import type { Transaction } from "./database.ts";
import { sql } from "./sql.ts";
import { createTestDatabase } from "./testing.ts";
import type { TestDatabase } from "./testing.ts";
import { FairPool } from "./fair-pool.ts";

let folder: string;
let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-migrations-"));
  await writeFile(join(folder, "0001_create_notes.sql"), "create table notes (id int);");
  test = await createTestDatabase("notebook", folder);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  database = new Database({ url: test.url, schema: test.schema, maxConnections: 1 });
});
afterEach(async () => {
  vi.useRealTimers();
  await database[Symbol.asyncDispose]();
  await test.database.query(sql`delete from notes`);
});

const notes = () => test.database.query(sql`select id from notes`);

/** Adds a note once the advisory lock is free; until then the statement waits in PostgreSQL. */
const addNoteAfterLock = sql`
  with lock as materialized (select pg_advisory_xact_lock(1) as taken)
  insert into notes select 1 from lock where taken is not null or true`;

async function holdLock(): Promise<{ free: () => Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const holder = test.database.transaction(async (tx: Transaction) => {
    await tx.query(sql`select pg_advisory_xact_lock(1)`);
    held.resolve();
    await ending.promise;
  });
  await held.promise;
  return {
    free: async () => {
      ending.resolve();
      await holder;
    },
  };
}

async function untilSomebodyWaitsForTheLock(): Promise<void> {
  const waiters = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  // Not with expect.poll, which advances a stopped clock by 50 ms each time it tries again.
  for (let found = 0; found === 0;) found = (await test.database.query(waiters)).length;
}

/** Only decisions about cancels use this clock; sockets and the server continue. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
}

describe("an abandoned statement", () => {
  it("never reaches PostgreSQL when it has not begun", async () => {
    const caller = new AbortController();
    const holding = Promise.withResolvers<void>();
    const holder = database.transaction(() => holding.promise);
    const waiting = database.query(sql`insert into notes values (1)`, caller);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    const late = database.query(sql`insert into notes values (2)`, caller);
    await expect(late).rejects.toMatchObject({ kind: "cancelled" });
    holding.resolve();
    await holder;
    await database.query(sql`select 1`);
    expect(await notes()).toEqual([]);
  });

  it("may end within 100 ms, and holds its connection until then", async () => {
    const lock = await holdLock();
    stopTime();
    const caller = new AbortController();
    const running = database.query(addNoteAfterLock, caller);
    await untilSomebodyWaitsForTheLock();
    caller.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    vi.advanceTimersByTime(99);
    expect(database.load).toMatchObject({ open: 1, idle: 0 });
    await lock.free();
    await database.query(sql`select 1`);
    expect(await notes()).toEqual([{ id: 1 }]);
  });

  it("is cancelled once it has run for 100 ms, and its connection is used again", async () => {
    const [before] = await database.query(sql`select pg_backend_pid() as pid`);
    const lock = await holdLock();
    stopTime();
    const caller = new AbortController();
    const running = database.query(addNoteAfterLock, caller);
    await untilSomebodyWaitsForTheLock();
    vi.advanceTimersByTime(500);
    caller.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    vi.advanceTimersByTime(0);
    await expect.poll(() => database.load.idle).toBe(1);
    await lock.free();
    const [after] = await database.query(sql`select pg_backend_pid() as pid`);
    expect(after).toEqual(before);
    expect(await notes()).toEqual([]);
  });

  it("is never cancelled so late that the cancel hits the next statement on its connection", async () => {
    const rounds = Array.from({ length: 48 }, (_, round) => round);
    const survive = async (round: number) => {
      const { url, schema } = test;
      await using own = new Database({ url, schema, maxConnections: 1 });
      const caller = new AbortController();
      // Ends just when the cancel is sent, which first has to connect.
      const seconds = 0.1 + (round % 12) / 2_000;
      await own.query(sql`select 1`);
      const dropped = own.query(sql`select pg_sleep(${seconds})`, caller);
      await turnOfTheLoop();
      caller.abort();
      await expect(dropped).rejects.toMatchObject({ kind: "cancelled" });
      for (let next = 0; next < 10; next += 1) await own.query(sql`select pg_sleep(0.003)`);
    };
    for (let first = 0; first < rounds.length; first += 8) {
      await Promise.all(rounds.slice(first, first + 8).map(survive));
    }
  });
});

describe("a pool", () => {
  it("is unavailable to a caller that waits 3 s for a free connection", async () => {
    const [held, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(() => {
      held.resolve();
      return holding.promise;
    });
    await held.promise;
    stopTime();
    const waiting = database.query(sql`select 1`).catch((error: unknown) => error);
    vi.advanceTimersByTime(3_000);
    expect(await waiting).toMatchObject({ kind: "unavailable" });
    holding.resolve();
    await holder;
  });

  it("keeps the connection of a failed statement", async () => {
    const backend = () => database.query(sql`select pg_backend_pid() as pid`);
    const before = await backend();
    await expect(database.query(sql`select 1 / 0`)).rejects.toThrow("division");
    expect(await backend()).toEqual(before);
  });
});

const BOUNDS = { slots: 1, slotsPerKey: 1, waitingMax: 100, waitingPerKeyMax: 100 };

describe("a pool in metrics", () => {
  it("shows how many wait for a connection, and how its connections are used", async () => {
    using _ = recordMetrics();
    const pool = { "db.client.connection.pool.name": test.schema };
    const used = { ...pool, "db.client.connection.state": "used" };
    const now = () => [
      valueNow(dbClientConnectionPendingRequests, pool),
      valueNow(dbClientConnectionCount, used),
      valueNow(dbClientConnectionMax, pool),
    ];
    const holding = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holder = database.transaction(() => {
      begun.resolve();
      return holding.promise;
    });
    await begun.promise;
    const waiting = database.query(sql`select 1`);
    // The pool of the test's own connection has the same name, but nobody waits for it.
    expect(now()[0]).toBe(1);
    expect(now()[1]).toBeGreaterThanOrEqual(1);
    holding.resolve();
    await Promise.all([holder, waiting]);
    expect(now()[0]).toBe(0);
  });
});

describe("turns at a pool", () => {
  it("count in metrics what waits for a connection, but not what waits for its own account", async () => {
    using _ = recordMetrics();
    const name = "two-slots";
    const pool = { "db.client.connection.pool.name": name };
    const pending = () => valueNow(dbClientConnectionPendingRequests, pool);
    const used = () => valueNow(dbClientConnectionCount, pool);
    await using wide = new Database({ url: test.url, schema: test.schema, maxConnections: 2 });
    const turns = new FairPool(wide, { ...BOUNDS, slots: 2 }, name);
    const holding = Promise.withResolvers<void>();
    const hold = (key: string) => turns.writing(key).transaction(() => holding.promise);
    const greedy = [hold("greedy"), hold("greedy")];
    expect([turns.load, used(), pending()]).toEqual([{ running: 1, waiting: 1 }, 1, 0]);
    const others = [hold("second"), hold("third")];
    expect([turns.load, used(), pending()]).toEqual([{ running: 2, waiting: 2 }, 2, 2]);
    expect(valueNow(dbClientConnectionMax, pool)).toBe(2);
    holding.resolve();
    await Promise.all([...greedy, ...others]);
    expect([used(), pending()]).toEqual([0, 0]);
    const waits = dbClientConnectionWaitTime.series.find(
      ({ attributes }) => attributes["db.client.connection.pool.name"] === name,
    );
    expect(waits?.count).toBe(4);
  });

  it("give another account its turn before the second of fifty big reads", async () => {
    const turns = new FairPool(database, BOUNDS, "share");
    const order: string[] = [];
    const big = Array.from({ length: 50 }, async () => {
      await turns.reading("big").query(sql`select pg_sleep(0.002)`);
      order.push("big");
    });
    await turns.reading("small").query(sql`select 1`);
    order.push("small");
    await Promise.all(big);
    expect(order.indexOf("small")).toBe(1);
  });

  it("never start a read whose caller disconnected while it waited", async () => {
    const turns = new FairPool(database, BOUNDS, "share");
    const holding = Promise.withResolvers<void>();
    const holder = turns.writing("a").transaction(() => holding.promise);
    const caller = new AbortController();
    const waiting = turns.reading("b", caller.signal).query(sql`insert into notes values (1)`);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    holding.resolve();
    await holder;
    await turns.reading("b").query(sql`select 1`);
    expect(await notes()).toEqual([]);
  });

  it("hold the slot until the statement has ended, and answer its caller at once", async () => {
    const lock = await holdLock();
    stopTime();
    const turns = new FairPool(database, BOUNDS, "share");
    const caller = new AbortController();
    const running = turns.reading("a", caller.signal).query(addNoteAfterLock);
    await untilSomebodyWaitsForTheLock();
    caller.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    const next = turns.reading("b").query(sql`select 1`);
    expect(turns.load).toEqual({ running: 1, waiting: 1 });
    await lock.free();
    await next;
  });

  it("free the slot of an abandoned read once it has run for 100 ms", async () => {
    const lock = await holdLock();
    stopTime();
    const turns = new FairPool(database, BOUNDS, "share");
    const caller = new AbortController();
    const running = turns.reading("a", caller.signal).query(addNoteAfterLock);
    await untilSomebodyWaitsForTheLock();
    caller.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    vi.advanceTimersByTime(100);
    expect(await turns.reading("b").query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await lock.free();
    expect(await notes()).toEqual([]);
  });

  it("finish a write that has begun although its caller disconnected", async () => {
    const lock = await holdLock();
    const turns = new FairPool(database, BOUNDS, "share");
    const caller = new AbortController();
    const running = turns.writing("a", caller.signal).query(addNoteAfterLock);
    await untilSomebodyWaitsForTheLock();
    caller.abort();
    await lock.free();
    await running;
    expect(await notes()).toEqual([{ id: 1 }]);
  });
});
