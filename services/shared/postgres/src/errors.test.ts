import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { ManualClock } from "@nutrition/core/clock";
import { silentLogger as logger } from "@nutrition/core/logger";

import { DatabaseHealth } from "./database-health.ts";
import { Database } from "./database.ts";
import { fragment, sql } from "./sql.ts";

const url = process.env["TEST_DATABASE_URL"] ?? "";
const UNAVAILABLE = { kind: "unavailable", retryAfterMs: 2_000 };

let health: DatabaseHealth;
let database: Database;
beforeAll(() => {
  health = new DatabaseHealth({ logger, clock: new ManualClock("2026-01-01T00:00:00Z") });
  database = new Database({ url, schema: "public", maxConnections: 1, health });
});
afterAll(() => database[Symbol.asyncDispose]());

/** A statement that PostgreSQL answers with this SQLSTATE. */
const failing = (state: string) => ({
  text: `do $$ begin raise exception 'no' using errcode = '${state}'; end $$`,
  values: [],
});
const pid = async () =>
  (await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;

// Every code that PostgreSQL 18 has in these classes (its documentation, appendix A).
const TEMPORARY = [
  ...["53000", "53100", "53200", "53300", "53400"],
  ...["57000", "57014", "58000", "58030", "58P01", "58P02", "58P03", "25P03", "55P03"],
];
const MOVING = [
  ...["08000", "08003", "08006", "08001", "08004", "08007", "08P01"],
  ...["57P01", "57P02", "57P03", "57P04", "57P05", "25006"],
];
const BUGS = ["22012", "23505", "25001", "25P02", "40001", "42P01", "42501", "55006", "XX000"];

describe.each([
  ["a statement", (state: string) => database.query(failing(state))],
  ["a transaction", (state: string) => database.transaction((tx) => tx.query(failing(state)))],
  [
    "a transaction whose work ignores the error",
    (state: string) =>
      database.transaction(async (tx) => {
        await tx.query(failing(state)).catch(() => undefined);
      }),
  ],
])("%s", (_, run) => {
  it.each(TEMPORARY)(
    "is unavailable and keeps its connection when PostgreSQL says %s",
    async (state) => {
      const before = await pid();
      await expect(run(state)).rejects.toMatchObject(UNAVAILABLE);
      expect(await pid()).toBe(before);
    },
  );

  it.each(MOVING)(
    "is unavailable and closes its connection when PostgreSQL says %s",
    async (state) => {
      const before = await pid();
      await expect(run(state)).rejects.toMatchObject(UNAVAILABLE);
      expect(await pid()).not.toBe(before);
    },
  );

  it.each(BUGS)(
    "fails as it is and keeps its connection when PostgreSQL says %s",
    async (state) => {
      const before = await pid();
      await expect(run(state)).rejects.toMatchObject({ code: state });
      expect(await pid()).toBe(before);
    },
  );
});

it("conditions that the server's errors reveal are noticed", async () => {
  for (const state of [...TEMPORARY, ...MOVING])
    await database.query(failing(state)).catch(() => {});
  const noticed = health.conditions().map(({ condition }) => condition);
  expect(noticed.toSorted()).toEqual([
    ...["connections_used_up", "disk_full", "out_of_memory", "read_only", "storage_failing"],
  ]);
});

it("a role without free connections is unavailable, and the condition is noticed", async () => {
  using noticing = new DatabaseHealth({ logger });
  const role = `few_${Math.random().toString(36).slice(2)}`;
  const name = fragment(role);
  await database.query(sql`create role ${name} login password 'few' connection limit 1`);
  const few = Object.assign(new URL(url), { username: role, password: "few" }).href;
  {
    await using first = new Database({ url: few, schema: "public" });
    await first.query(sql`select 1`);
    await using second = new Database({ url: few, schema: "public", health: noticing });
    await expect(second.query(sql`select 1`)).rejects.toMatchObject(UNAVAILABLE);
  }
  expect(noticing.conditions()).toMatchObject([{ condition: "connections_used_up" }]);
  await database.query(sql`drop role ${name}`);
});

it("a connection ends after 300 s even if it is never idle", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await using used = new Database({ url, schema: "public", maxConnections: 1 });
    const own = async () => (await used.query(sql`select pg_backend_pid() as pid`))[0];
    const first = await own();
    for (let seconds = 5; seconds < 300; seconds += 5) {
      vi.advanceTimersByTime(5_000);
      expect(await own()).toEqual(first);
    }
    vi.advanceTimersByTime(5_000);
    expect(await own()).not.toEqual(first);
  } finally {
    vi.useRealTimers();
  }
});
