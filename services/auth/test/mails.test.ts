import { randomBytes, randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import type { Mail } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { MailKind, MailOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { forgetOldMails } from "../src/operations/mails.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, startFixture } from "./fixture.ts";

const { SENT, RETRY, GIVEN_UP } = MailOutcome;
const MAIL = { sendMail: true };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.database.query(sql`delete from mails`));

async function setup() {
  const accountId = await makeAccount(fixture);
  const selector = { case: "accountId" as const, value: accountId };
  const { email } = (await fixture.admin.getAccount({ selector }, CALL)).account!;
  return { accountId, email, person: asPerson(accountId) };
}

async function take(max = 0): Promise<Mail[]> {
  return (await fixture.web.takeMails({ max }, CALL)).mails;
}

async function finish({ id, leaseId }: Mail, outcome: MailOutcome): Promise<boolean> {
  return (await fixture.web.finishMail({ id, leaseId, outcome }, CALL)).recorded;
}

async function invite(email: string, sealedLink: Uint8Array = randomBytes(64)): Promise<boolean> {
  return (await fixture.web.queueInvitation({ email, sealedLink }, CALL)).queued;
}

/** Moves all mails into the past. */
async function age(seconds: number): Promise<void> {
  await fixture.database.query(sql`
    update mails set
      due_at = due_at - make_interval(secs => ${seconds}),
      created_at = created_at - make_interval(secs => ${seconds})
  `);
}

const kindsOf = (mails: readonly Mail[]) => mails.map(({ kind }) => kind);

describe("a mail about an erasure", () => {
  test("is queued with the erasure itself, once, to the address of the account", async () => {
    const { email, person } = await setup();
    const asking = () => fixture.web.requestErasure(MAIL, person);
    const answers = await Promise.all([asking(), asking(), asking()]);
    const [mail, ...others] = await take();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: MailKind.ERASURE_SCHEDULED, recipient: email, attempts: 1 });
    expect(mail!.eraseAt).toEqual(answers[0].eraseAt);
  });

  test("is not queued when the request fails, or where no mail is sent", async () => {
    const { accountId, person } = await setup();
    await fixture.web.requestErasure({}, person);
    await fixture.web.cancelErasure({}, person);
    await fixture.database.query(sql`
      update sessions set signed_in_at = now() - interval '11 minutes'
      where account_id = ${accountId}
    `);
    await expect(fixture.web.requestErasure(MAIL, person)).rejects.toMatchObject({
      reason: "SIGN_IN_NOT_RECENT",
    });
    expect(await take()).toEqual([]);
  });

  test("tells that it was cancelled, in place of what has not been sent yet", async () => {
    const { person } = await setup();
    await fixture.web.requestErasure(MAIL, person);
    await fixture.web.cancelErasure(MAIL, person);
    await fixture.web.cancelErasure(MAIL, person);
    expect(kindsOf(await take())).toEqual([MailKind.ERASURE_CANCELLED]);
  });

  test("does not take back one that is being sent", async () => {
    const { person } = await setup();
    await fixture.web.requestErasure(MAIL, person);
    const [scheduled] = await take();
    await fixture.web.cancelErasure(MAIL, person);
    expect(await finish(scheduled!, SENT)).toBe(true);
    expect(kindsOf(await take())).toEqual([MailKind.ERASURE_CANCELLED]);
  });

  test("tells once that the account is gone, and then nothing of the person is left", async () => {
    const { accountId, email, person } = await setup();
    await fixture.web.requestErasure(MAIL, person);
    await fixture.database.query(sql`
      update erasures set due_at = now() where account_id = ${accountId}
    `);
    await fixture.web.takeErasures({}, CALL);
    const erase = () => fixture.web.eraseTakenAccount({ accountId, ...MAIL }, CALL);
    await Promise.all([erase(), erase()]);
    await erase();
    const [mail, ...others] = await take();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: MailKind.ACCOUNT_ERASED, recipient: email });
    await finish(mail!, SENT);
    expect(await fixture.database.query(sql`select from mails`)).toEqual([]);
  });

  test("is sent to no account without an address", async () => {
    const { accountId, person } = await setup();
    await fixture.database.query(sql`update accounts set email = null where id = ${accountId}`);
    await fixture.web.requestErasure(MAIL, person);
    expect(await take()).toEqual([]);
  });
});

describe("an invitation", () => {
  test("goes to accounts only, and replaces one that waits, whose link no longer works", async () => {
    const { email } = await setup();
    const newest = randomBytes(64);
    expect(await invite(email.toUpperCase())).toBe(true);
    expect(await invite(email, newest)).toBe(true);
    const [mail, ...others] = await take();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: MailKind.INVITATION, recipient: email });
    expect(Buffer.from(mail!.sealedLink)).toEqual(newest);
    await expect(invite(`${randomUUID()}@example.com`)).rejects.toMatchObject({
      reason: "ACCOUNT_NOT_FOUND",
    });
  });

  test.each([0, 4_097])("is refused with a link of %i bytes", async (bytes) => {
    const { email } = await setup();
    await expect(invite(email, new Uint8Array(bytes))).rejects.toMatchObject({
      reason: "INVALID_SEALED_LINK",
    });
  });
});

describe("a leased mail", () => {
  test("goes to one of several callers, each of whom gets at most what it asked for", async () => {
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map(() => setup()));
    for (const { email } of people) await invite(email);
    const taken = await Promise.all([take(2), take(2), take(2), take(2)]);
    expect(Math.max(...taken.map((some) => some.length))).toBeLessThanOrEqual(2);
    const ids = [...taken.flat(), ...(await take())].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
  });

  test("of a sender that died is leased again with the same id, and the late outcome is ignored", async () => {
    await invite((await setup()).email);
    const [first] = await take();
    await age(119);
    expect(await take()).toEqual([]);
    await age(2);
    const [second] = await take();
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
    expect(await finish(first!, SENT)).toBe(false);
    expect(await finish(second!, SENT)).toBe(true);
    await age(200);
    expect(await take()).toEqual([]);
  });

  test("is tried again later and later, up to half an hour apart, for 48 hours", async () => {
    await invite((await setup()).email);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const [mail] = await take();
      await finish(mail!, RETRY);
      const [row] = await fixture.database.query<{ wait: number }>(sql`
        select extract(epoch from due_at - clock_timestamp())::float8 as wait from mails
      `);
      waits.push(row!.wait);
      await fixture.database.query(sql`update mails set due_at = now()`);
    }
    expect(waits[0]).toBeGreaterThan(4);
    expect(waits[0]).toBeLessThanOrEqual(10);
    expect(waits.at(-1)).toBeGreaterThan(890);
    expect(waits.at(-1)).toBeLessThanOrEqual(1_800);
    await age(48 * 3_600);
    expect(await take()).toEqual([]);
  });

  test.each([SENT, GIVEN_UP])(
    "keeps neither address nor link after outcome %i",
    async (outcome) => {
      await invite((await setup()).email);
      const [mail] = await take();
      await finish(mail!, outcome);
      const rows = await fixture.database.query(sql`select recipient, sealed_link from mails`);
      expect(rows).toEqual([{ recipient: null, sealed_link: null }]);
      await age(48 * 3_600);
      await forgetOldMails(fixture.database);
      expect(await fixture.database.query(sql`select from mails`)).toEqual([]);
    },
  );
});

test("an account gets at most 10 mails in 24 hours, and nobody else fewer", async () => {
  const [{ email, person }, other] = [await setup(), await setup()];
  for (let count = 0; count < 10; count += 1) {
    expect(await invite(email)).toBe(true);
    for (const mail of await take()) await finish(mail, SENT);
  }
  expect(await invite(email)).toBe(false);
  // What the mail would tell happens all the same.
  expect((await fixture.web.requestErasure(MAIL, person)).eraseAt).toBeDefined();
  expect(await take()).toEqual([]);
  expect(await invite(other.email)).toBe(true);
  await age(24 * 3_600);
  expect(await invite(email)).toBe(true);
});

test("an erased account takes its waiting mails along", async () => {
  const { accountId, email } = await setup();
  await invite(email);
  await fixture.admin.eraseAccount({ accountId }, CALL);
  expect(await take()).toEqual([]);
});
