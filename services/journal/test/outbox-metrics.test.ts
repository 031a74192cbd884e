import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { outboxAge, outboxMessages } from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { expect, test } from "vitest";

import { reportOutbox } from "../src/operations/report-outbox.ts";
import { MIGRATIONS } from "./harness.ts";

const LIMITS = { "nutrition.outbox": "limits" };

test("metrics report how many messages are pending, and the age of the oldest", async () => {
  using _ = recordMetrics();
  await using created = await createTestDatabase("journal", MIGRATIONS);
  const { database } = created;
  await reportOutbox(database);
  expect([valueNow(outboxMessages, LIMITS), valueNow(outboxAge, LIMITS)]).toEqual([0, 0]);
  for (const minutes of [1, 7]) {
    await database.query(sql`
      insert into outbox (reservation_id, action, created_at)
      values (${newId()}, 'commit', now() - ${`${minutes} minutes`}::interval)`);
  }
  await reportOutbox(database);
  expect(valueNow(outboxMessages, LIMITS)).toBe(2);
  expect(valueNow(outboxAge, LIMITS)).toBeGreaterThanOrEqual(420);
});
