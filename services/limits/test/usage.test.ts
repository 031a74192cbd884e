import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { UsageStep } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { keySubject } from "../src/domain/usage.ts";
import type { Instance, Setting } from "./setup.ts";
import { callOf, countKey, createSetting, newUser, reserve, startInstance } from "./setup.ts";

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

function clients() {
  const { as } = instance;
  return { gateway: as("gateway"), journal: as("journal"), web: as("web"), admin: as("admin") };
}

const options = { timeoutMs: 5_000 };
const session = (user: UserIdentity): UserIdentity => ({ ...user, credentialKind: "session" });
const hoursAgo = (hours: number) => timestampFromDate(new Date(Date.now() - hours * 3_600_000));

test("a person sees requests and writes by credential and step", async () => {
  const { gateway, journal, web } = clients();
  const user = newUser();
  await countKey(gateway, user, 3);
  await ageSubject(setting.test.database, keySubject(user.credentialId), 7_200);
  await countKey(gateway, user, 2);
  await reserve(journal, await callOf(setting, user));
  await countKey(gateway, newUser());

  const { buckets } = await web.getUsage(
    { start: hoursAgo(3), step: UsageStep.HOUR },
    { ...options, user: session(user) },
  );

  const figures = buckets.map(({ credentialId, requests, mutations }) => ({
    credentialId,
    requests,
    mutations,
  }));
  const own = user.credentialId;
  expect(figures.filter(({ credentialId }) => credentialId === own)).toEqual([
    { credentialId: own, requests: 3n, mutations: 0n },
    { credentialId: own, requests: 2n, mutations: 0n },
  ]);
  expect(figures.filter(({ credentialId }) => credentialId !== own)).toEqual([
    { credentialId: "assistant", requests: 0n, mutations: 1n },
  ]);
});

test("the owner of a subject stays recorded while the subject is in use", async () => {
  const { gateway } = clients();
  const user = newUser();
  await countKey(gateway, user);
  await ageSubject(setting.test.database, keySubject(user.credentialId), 3 * 86_400);
  await countKey(gateway, user);
  const rows = await setting.test.database.query({
    text: "select last_at > now() - interval '1 hour' as is_new from subjects where subject = $1",
    values: [keySubject(user.credentialId)],
  });
  expect(rows).toEqual([{ is_new: true }]);
});

test("nobody sees another person's usage", async () => {
  const { web } = clients();
  const [user, other] = [newUser(), newUser()];
  const request = { accountId: other.accountId, start: hoursAgo(1) };
  await expect(web.getUsage(request, { ...options, user: session(user) })).rejects.toMatchObject({
    kind: "permission_denied",
  });
  await expect(web.getUsage(request, { ...options, user })).rejects.toMatchObject({
    kind: "permission_denied",
  });
  await expect(web.getUsage(request, options)).rejects.toMatchObject({
    kind: "permission_denied",
  });
});

test("the operator sees who used most", async () => {
  const { gateway, admin } = clients();
  const users = [newUser(), newUser()];
  const counted = users.map(({ credentialId }, index) => ({
    subject: keySubject(credentialId),
    units: BigInt(120 - index),
  }));
  for (const user of users) for (let n = 0; n < 5; n += 1) await countKey(gateway, user, 20);
  await countKey(gateway, users[0] as UserIdentity, 20);
  await countKey(gateway, users[1] as UserIdentity, 19);

  const { subjects } = await admin.listTopSubjects({ rangeSeconds: 3_600, limit: 2 }, options);

  expect(subjects).toMatchObject(counted);
});

test("the operator sees how often each policy refused", async () => {
  const { gateway, admin } = clients();
  const refusals = async () => {
    const { policies } = await admin.listRefusals({ rangeSeconds: 3_600 }, options);
    return policies.find(({ policy }) => policy === "key-hour")?.refusals ?? 0n;
  };
  const before = await refusals();
  const user = newUser();
  for (let n = 0; n < 6; n += 1) await countKey(gateway, user, 20);
  for (let n = 0; n < 5; n += 1) await countKey(gateway, user);

  expect((await refusals()) - before).toBe(5n);
});

test("an erased account's usage stays counted without identifying anybody", async () => {
  const { gateway, journal, admin } = clients();
  const [user, other] = [newUser(), newUser()];
  await countKey(gateway, user, 4);
  await countKey(gateway, other);
  const { outcome } = await reserve(journal, await callOf(setting, user));
  const before = await total();

  await admin.unlinkAccount({ accountId: user.accountId }, options);
  await admin.unlinkAccount({ accountId: user.accountId }, options);

  expect(await total()).toBe(before);
  expect(await isNamed(user)).toBe(false);
  expect(await isNamed(other)).toBe(true);
  const reservationId = outcome.case === "reservation" ? outcome.value.id : "";
  await journal.commit({ reservationId }, options);
});

async function total(): Promise<number> {
  const text = "select sum(cost)::int as total from usage_events";
  const [row] = await setting.test.database.query<{ total: number }>({ text, values: [] });
  return row?.total ?? 0;
}

/** Whether any row of any table contains the account's or the key's id. */
async function isNamed({ accountId, credentialId }: UserIdentity): Promise<boolean> {
  const text = `select exists (select from usage_events e where e::text ~ $1)
    or exists (select from reservations r where r::text ~ $1)
    or exists (select from subjects s where s::text ~ $1) as named`;
  const values = [`${accountId}|${credentialId}`];
  const [row] = await setting.test.database.query<{ named: boolean }>({ text, values });
  return row?.named ?? false;
}
