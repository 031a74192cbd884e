import { randomUUID } from "node:crypto";

import { MutationKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { settleReservation } from "../src/operations/settle-reservation.ts";
import { findReservationState } from "../src/store/reservation-store.ts";
import type { Instance, Setting } from "./setup.ts";
import { createSetting, holdRoom, reserve, startInstance } from "./setup.ts";

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

const options = { timeoutMs: 5_000 };

const setup = () => holdRoom(setting, instance);

test("a reservation counts immediately, and stops counting once released", async () => {
  const { journal, call, id } = await setup();
  for (let n = 0; n < 11; n += 1) await reserve(journal, call);
  expect((await reserve(journal, call)).outcome).toMatchObject({
    case: "refusal",
    value: { violated: ["mutations-10-minutes"], used: 12, requested: 1 },
  });

  await journal.release({ reservationId: id }, options);

  expect((await reserve(journal, call)).outcome.case).toBe("reservation");
  expect((await reserve(journal, call)).outcome.case).toBe("refusal");
});

test("repeating a commit or a release changes nothing", async () => {
  const first = await setup();
  await first.journal.commit({ reservationId: first.id }, options);
  await first.journal.commit({ reservationId: first.id }, options);
  const second = await setup();
  await second.journal.release({ reservationId: second.id }, options);
  await second.journal.release({ reservationId: second.id }, options);

  expect(await findReservationState(setting.test.database, first.id)).toBe("committed");
  expect(await findReservationState(setting.test.database, second.id)).toBe("released");
});

test("a settled reservation cannot be settled the other way", async () => {
  const { journal, id } = await setup();
  await journal.commit({ reservationId: id }, options);
  await expect(journal.release({ reservationId: id }, options)).rejects.toMatchObject({
    kind: "failed_precondition",
    reason: "RESERVATION_SETTLED",
  });
  const other = await setup();
  await other.journal.release({ reservationId: other.id }, options);
  await expect(journal.commit({ reservationId: other.id }, options)).rejects.toMatchObject({
    kind: "failed_precondition",
  });
});

test("an unknown reservation is not found", async () => {
  const { journal } = await setup();
  await expect(journal.commit({ reservationId: randomUUID() }, options)).rejects.toMatchObject({
    kind: "not_found",
  });
});

test("a denial names every violated policy, longest wait first", async () => {
  const { journal, call, subject } = await setup();
  const log = { kind: MutationKind.LOG, lines: 12, date: "2026-11-21" };
  for (let n = 0; n < 2; n += 1) {
    await reserve(journal, call, log);
    await ageSubject(setting.test.database, subject, 2);
  }
  await reserve(journal, call, { ...log, lines: 6 });

  const { outcome } = await reserve(journal, call, { ...log, lines: 11 });

  expect(outcome).toMatchObject({
    case: "refusal",
    value: {
      violated: ["lines-per-date-day", "lines-10-minutes", "cooldown"],
      used: 30,
      requested: 11,
    },
  });
});

test("each journal date has its own 40 lines a day", async () => {
  const { journal, call, subject } = await setup();
  const log = async (date: string, lines: number) => {
    const { outcome } = await reserve(journal, call, { kind: MutationKind.LOG, lines, date });
    await ageSubject(setting.test.database, subject, 1_300);
    return outcome.case === "refusal" ? outcome.value.violated : [];
  };
  for (const lines of [12, 12, 12]) expect(await log("2026-11-20", lines)).toEqual([]);

  expect(await log("2026-11-20", 5)).toEqual(["lines-per-date-day"]);
  expect(await log("2026-11-21", 5)).toEqual([]);
  expect(await log("2026-11-20", 4)).toEqual([]);
});

test("a concurrent release and commit have one winner", async () => {
  const held = await Promise.all(Array.from({ length: 8 }, setup));
  for (const { id, subject } of held) {
    const outcomes = await Promise.allSettled([
      settleReservation(setting.test.database, id, "committed"),
      settleReservation(setting.test.database, id, "released"),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const state = await findReservationState(setting.test.database, id);
    const events = await setting.test.database.query({
      text: "select state from usage_events where subject = $1",
      values: [subject],
    });
    expect(events).toEqual([{ state }]);
  }
});
