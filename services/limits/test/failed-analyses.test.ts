import { MutationKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { accountSubject } from "../src/domain/usage.ts";
import { settleReservation } from "../src/operations/settle-reservation.ts";
import { findExcess } from "./oracle.ts";
import type { Instance, Setting, Write } from "./setup.ts";
import {
  callOf,
  createSetting,
  newUser,
  reserve,
  shippedPolicies,
  startInstance,
} from "./setup.ts";

let setting: Setting;
let instances: Instance[];

beforeAll(async () => {
  setting = await createSetting();
  instances = [await startInstance(setting), await startInstance(setting)];
});

afterAll(async () => {
  for (const instance of instances) await instance[Symbol.asyncDispose]();
  await setting[Symbol.asyncDispose]();
});

const options = { timeoutMs: 5_000 };
const LOG: Write = { kind: MutationKind.LOG, lines: 1 };

/** A user, with calls to either instance on their behalf. */
async function setup() {
  const user = newUser();
  const call = await callOf(setting, user);
  const journals = instances.map((instance) => instance.as("journal"));
  const ask = async (n: number, write: Write) => {
    const { outcome } = await reserve(journals[n % journals.length]!, call, write);
    return outcome.case === "reservation"
      ? { id: outcome.value.id, violated: [] }
      : { id: "", violated: outcome.value?.violated ?? [] };
  };
  const fail = async (n: number, write: Write) => {
    const { id, violated } = await ask(n, write);
    expect(violated).toEqual([]);
    const reservationId = id;
    await journals[n % journals.length]!.release({ reservationId, analysisFailed: true }, options);
    return id;
  };
  return { user, ask, fail };
}

test("failed analyses have their own limit, use no other units, and block only analyzed writes", async () => {
  const { user, ask, fail } = await setup();
  for (let n = 0; n < 60; n += 1) {
    await fail(n, n % 3 === 0 ? { kind: MutationKind.EDIT } : LOG);
  }

  for (const n of [0, 1]) {
    expect((await ask(n, LOG)).violated).toEqual(["failed-analyses-hour"]);
    expect((await ask(n, { kind: MutationKind.EDIT })).violated).toEqual(["failed-analyses-hour"]);
  }
  for (let n = 0; n < 12; n += 1) {
    expect((await ask(n, { kind: MutationKind.DELETE })).violated).toEqual([]);
  }
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);

  await ageSubject(setting.test.database, accountSubject(user.accountId), 3_601);
  await using later = await startInstance(setting);
  const { outcome } = await reserve(later.as("journal"), await callOf(setting, user), LOG);
  expect(outcome.case).toBe("reservation");
});

test("a failure reported twice counts once, even if recovery had released the reservation before", async () => {
  const { ask, fail } = await setup();
  const { database } = setting.test;
  for (let n = 0; n < 58; n += 1) await fail(n, LOG);
  const again = await fail(0, LOG);
  await settleReservation(database, again, "failed");
  const { id: late } = await ask(0, LOG);
  await settleReservation(database, late, "released");
  // Both instances see it released before the failure is reported.
  for (const n of [0, 1]) {
    const { id } = await ask(n, LOG);
    await settleReservation(database, id, "released");
  }
  await settleReservation(database, late, "failed");
  for (const n of [0, 1]) {
    expect((await ask(n, LOG)).violated).toEqual(["failed-analyses-hour"]);
  }
});

test("a committed write cannot fail afterwards", async () => {
  const { ask } = await setup();
  const { id } = await ask(0, LOG);
  await settleReservation(setting.test.database, id, "committed");
  await expect(settleReservation(setting.test.database, id, "failed")).rejects.toMatchObject({
    kind: "failed_precondition",
  });
});
