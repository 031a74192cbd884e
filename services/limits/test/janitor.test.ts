import { Failure } from "@nutrition/core/failure";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { silentLogger } from "@nutrition/service/logger";
import {
  limitsReservations,
  limitsReservationsOpen,
  limitsReservationsOverdue,
} from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { measureReservations } from "../src/operations/measure-reservations.ts";
import { settleExpired } from "../src/operations/settle-expired.ts";
import { settleReservation } from "../src/operations/settle-reservation.ts";
import { findReservationState } from "../src/store/reservation-store.ts";
import type { Instance, Setting } from "./setup.ts";
import { createSetting, holdRoom, impatientClock, reserve, startInstance } from "./setup.ts";

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

async function setup() {
  const held = await holdRoom(setting, instance);
  // A new instance reads the log; a running one shows a release within a minute.
  const used = async () => {
    await using fresh = await startInstance(setting);
    const { policies } = await reserve(fresh.as("journal"), held.call);
    const state = policies.find(({ name }) => name === "mutations-day");
    return state ? state.max - state.remaining : undefined;
  };
  return { ...held, used };
}

test("an expired reservation is settled by the journal's answer", async () => {
  const [happened, failed] = [await setup(), await setup()];
  await Promise.all([happened.expire(), failed.expire()]);

  await settleExpired(setting.test.database, async (id) => id === happened.id, silentLogger);

  expect(await findReservationState(setting.test.database, happened.id)).toBe("committed");
  expect(await findReservationState(setting.test.database, failed.id)).toBe("released");
  expect(await failed.used()).toBe(1);
  expect(await happened.used()).toBe(2);
});

test("metrics report open and overdue reservations, and count each outcome once", async () => {
  using _ = recordMetrics();
  const { database } = setting.test;
  await settleExpired(database, async () => true, silentLogger);
  const open = async () => {
    await measureReservations(database);
    return [valueNow(limitsReservationsOpen), valueNow(limitsReservationsOverdue)] as const;
  };
  const [openBefore = 0] = await open();
  const ends = () =>
    ["opened", "committed", "released", "expired"].map(
      (end) => valueNow(limitsReservations, { "nutrition.reservation.outcome": end }) ?? 0,
    );
  const before = ends();
  const [expired, committed, released] = [await setup(), await setup(), await setup()];
  await settleReservation(database, committed.id, "committed");
  await settleReservation(database, released.id, "released");
  await settleReservation(database, released.id, "released");
  expect(await open()).toEqual([openBefore + 1, 0]);
  await database.query({
    text: "update reservations set expires_at = now() - interval '2 minutes' where id = $1",
    values: [expired.id],
  });
  expect(await open()).toEqual([openBefore + 1, 1]);
  await settleExpired(database, async () => false, silentLogger);
  expect(await open()).toEqual([openBefore, 0]);
  expect(ends().map((count, at) => count - (before[at] ?? 0))).toEqual([3, 1, 1, 1]);
});

test("a reservation that has not expired is left alone", async () => {
  const { id } = await setup();
  const asked: string[] = [];
  await settleExpired(
    setting.test.database,
    async (reservationId) => asked.push(reservationId) > 0,
    silentLogger,
  );
  expect(asked).not.toContain(id);
});

test("while the journal is unavailable, an expired reservation keeps counting, and is settled later", async () => {
  const { id, expire, used } = await setup();
  await expire();
  const unavailable = () => Promise.reject(new Failure("unavailable", "AWAY", "away"));
  await settleExpired(setting.test.database, unavailable, silentLogger);
  expect(await findReservationState(setting.test.database, id)).toBe("reserved");
  expect(await used()).toBe(2);

  await setting.test.database.query({
    text: "update reservations set claimed_until = clock_timestamp() where id = $1",
    values: [id],
  });
  await settleExpired(setting.test.database, async () => true, silentLogger);
  expect(await findReservationState(setting.test.database, id)).toBe("committed");
});

test("concurrent recoveries never ask about the same reservation", async () => {
  const held = await Promise.all(Array.from({ length: 15 }, setup));
  await Promise.all(held.map(({ expire }) => expire()));
  const asked: string[] = [];
  const ask = async (id: string) => asked.push(id) > 0;
  await Promise.all([
    settleExpired(setting.test.database, ask, silentLogger),
    settleExpired(setting.test.database, ask, silentLogger),
  ]);
  expect(asked.toSorted()).toEqual(held.map(({ id }) => id).toSorted());
});

test("a commit during recovery ends as a single commit", async () => {
  const { id, journal, expire } = await setup();
  await expire();
  const commitFirst = async (reservationId: string) => {
    await journal.commit({ reservationId }, options);
    return true;
  };
  await settleExpired(setting.test.database, commitFirst, silentLogger);
  expect(await findReservationState(setting.test.database, id)).toBe("committed");
});

test("recovery asks the journal over gRPC", async () => {
  const asked: string[] = [];
  await using journal = await startRpcServer({
    host: "127.0.0.1",
    port: 0,
    identity: setting.identity.verifier("journal"),
    logger: silentLogger,
    services: [
      bind(
        JournalService,
        {
          resolveReservation: async ({ reservationId }) => {
            asked.push(reservationId);
            return { used: true };
          },
        },
        { resolveReservation: { callers: ["limits"], user: "none" } },
      ),
    ],
  });
  const { id, expire } = await setup();
  await expire();
  const changes = { JOURNAL_ADDRESS: journal.address };
  await using _ = await startInstance(setting, changes, { clock: impatientClock });
  await expect.poll(() => findReservationState(setting.test.database, id)).toBe("committed");
  expect(asked).toContain(id);
});
