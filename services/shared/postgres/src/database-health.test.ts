import { ManualClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { databaseCondition } from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DatabaseHealth } from "./database-health.ts";
import { Database } from "./database.ts";

const url = process.env["TEST_DATABASE_URL"] ?? "";

let clock: ManualClock;
let logged: string[];
let health: DatabaseHealth;
beforeEach(() => {
  clock = new ManualClock("2026-01-01T00:00:00Z");
  logged = [];
  const log = (level: string) => (_: object, message: string) => logged.push(`${level} ${message}`);
  const logger: Logger = {
    ...silentLogger,
    error: log("error"),
    warn: log("warn"),
    info: log("info"),
  };
  health = new DatabaseHealth({ logger, clock });
});
afterEach(() => health[Symbol.dispose]());

const names = () => health.conditions().map(({ condition }) => condition);

test("a condition is reported from when it began until a minute after it was last met", () => {
  health.note("disk_full");
  clock.advance(59_000);
  health.note("disk_full");
  clock.advance(59_000);
  expect(health.conditions()).toMatchObject([
    { condition: "disk_full", since: new Date("2026-01-01T00:00:00Z") },
  ]);
  clock.advance(1_000);
  expect(names()).toEqual([]);
});

test("the log says once that a condition began and what to do, and once that it is over", () => {
  for (let times = 0; times < 100; times += 1) health.note("connections_used_up");
  clock.advance(60_000);
  names();
  names();
  expect(logged).toEqual([
    expect.stringMatching(/^error PostgreSQL refuses connections.*raise max_connections/),
    expect.stringMatching(/^info No longer: PostgreSQL refuses connections/),
  ]);
});

test("the metric is 1 while a condition lasts", () => {
  using _ = recordMetrics();
  const value = () => valueNow(databaseCondition, { "nutrition.database.condition": "read_only" });
  expect(value()).toBe(0);
  health.note("read_only");
  expect(value()).toBe(1);
  clock.advance(60_000);
  expect(value()).toBe(0);
});

test("a check finds an unreachable server, and that it is back", async () => {
  await using away = new Database({ url: "postgres://127.0.0.1:1/x", schema: "public", health });
  await health.check(away);
  expect(names()).toEqual(["unreachable"]);
  await using back = new Database({ url, schema: "public", health });
  await health.check(back);
  expect(names()).toEqual([]);
});

test("a check finds a database that is set to read-only, before anybody writes", async () => {
  const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`;
  await using database = new Database({ url: readOnly, schema: "public", health });
  await health.check(database);
  expect(names()).toEqual(["read_only"]);
});
