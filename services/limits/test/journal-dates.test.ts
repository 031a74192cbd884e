import { durationMs } from "@bufbuild/protobuf/wkt";
import { addDays } from "@nutrition/core/civil-date";
import { MutationKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { accountSubject } from "../src/domain/usage.ts";
import { findExcess } from "./oracle.ts";
import type { Instance, Setting } from "./setup.ts";
import {
  callOf,
  createSetting,
  newUser,
  reserve,
  shippedPolicies,
  startInstance,
} from "./setup.ts";

const DATE = "2026-11-20";
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

let setting: Setting;
let instance: Instance;

beforeAll(async () => {
  setting = await createSetting();
  instance = await startInstance(setting);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await setting[Symbol.asyncDispose]();
});

async function setup() {
  const user = newUser();
  const call = await callOf(setting, user);
  const journal = instance.as("journal");
  const log = async (date: string, lines: number) => {
    const { outcome } = await reserve(journal, call, { kind: MutationKind.LOG, lines, date });
    return outcome.case === "refusal" ? outcome.value : undefined;
  };
  const pass = (seconds: number) =>
    ageSubject(setting.test.database, accountSubject(user.accountId), seconds);
  /** Logs 40 lines of one date, an hour apart. */
  const fill = async (date: string) => {
    for (const lines of [12, 12, 12, 4]) {
      expect(await log(date, lines)).toBeUndefined();
      await pass(HOUR_SECONDS);
    }
  };
  return { log, pass, fill };
}

test("lines of a journal date become available a day after they were logged, not at midnight", async () => {
  const { log, pass, fill } = await setup();
  await fill(DATE);

  const refusal = await log(DATE, 1);

  expect(refusal).toMatchObject({ violated: ["lines-per-date-day"], used: 40, requested: 1 });
  const waitMs = refusal?.retryAfter ? durationMs(refusal.retryAfter) : 0;
  expect(waitMs).toBeGreaterThan((20 * HOUR_SECONDS - 60) * 1_000);
  expect(waitMs).toBeLessThanOrEqual(20 * HOUR_SECONDS * 1_000);
  await pass(20 * HOUR_SECONDS - 60);
  expect(await log(DATE, 1)).toMatchObject({ violated: ["lines-per-date-day"] });
  await pass(61);
  expect(await log(DATE, 12)).toBeUndefined();
  await pass(2);
  expect(await log(DATE, 1)).toMatchObject({ violated: ["lines-per-date-day"], used: 40 });
});

test("a full journal date leaves neighboring days alone and ignores the calendar", async () => {
  const { log, pass, fill } = await setup();
  await fill(DATE);
  for (const days of [-365, -1, 1, 30]) {
    expect(await log(addDays(DATE, days), 3)).toBeUndefined();
    await pass(HOUR_SECONDS);
  }
  expect(await log(DATE, 1)).toMatchObject({ violated: ["lines-per-date-day"] });
  await pass(DAY_SECONDS);
  await fill(DATE);
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);
});

test("an edit or deletion on a full journal date uses no lines and is allowed", async () => {
  const { log, fill } = await setup();
  await fill(DATE);
  expect(await log(DATE, 0)).toBeUndefined();
});
