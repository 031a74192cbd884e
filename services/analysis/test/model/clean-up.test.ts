import { fileURLToPath } from "node:url";

import { silentLogger } from "@nutrition/core/logger";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { sql } from "@nutrition/postgres/sql";
import { expect, test } from "vitest";

import { Spending } from "../../src/model/spending.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));

test("the cost of model calls is kept for 400 days", async () => {
  await using created = await createTestDatabase("analysis", MIGRATIONS);
  const { database } = created;
  await database.query(sql`
    insert into model_calls (id, model, lines, cost_micros, started_at)
    select gen_random_uuid(), age::text, 1, 1, now() - age
    from unnest('{1 day,399 days,401 days}'::interval[]) age, generate_series(1, 1001)`);
  const prices = { input: 1, output: 1 };
  const options = { database, logger: silentLogger, model: "m", prices, dailyMax: 1 };
  const instances = [new Spending(options), new Spending(options)];
  await Promise.all(instances.map((spending) => spending.deleteOldCalls()));
  const left = await database.query(sql`
    select model, count(*)::int as calls from model_calls group by model order by model`);
  expect(left).toEqual([
    { model: "1 day", calls: 1_001 },
    { model: "399 days", calls: 1_001 },
  ]);
});
