import { randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { hiddenField, visibleText } from "./forms.ts";
import { makeMember, pathOf, signInMember } from "./members.ts";
import type { ReceivedMail } from "./smtp-inbox.ts";
import { SENDER, SmtpInbox } from "./smtp-inbox.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, impatientClock, startWebFixture } from "./web-fixture.ts";

// The whole way of a mail: from a click on a page to a mail server.

const ERASE = "/settings/erase";
const UNDERSTOOD = { understood: "yes" };
let inbox: SmtpInbox;
let web: WebFixture;
beforeAll(async () => {
  inbox = await SmtpInbox.start();
  web = await startWebFixture({
    clock: impatientClock,
    config: { mail: { server: inbox.server, sender: SENDER } },
  });
});
afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await inbox[Symbol.asyncDispose]();
});
beforeEach(() => void inbox.mails.splice(0));

async function mailTo(email: string, subject: string): Promise<ReceivedMail> {
  const find = () =>
    inbox.mails.find(({ to, headers }) => to[0] === email && headers.get("subject") === subject);
  await expect.poll(find).toBeDefined();
  return find()!;
}

async function setup() {
  const member = await makeMember(web);
  const browser = await signInMember(web, member);
  const selector = { case: "email" as const, value: member.email };
  const { account } = await web.as("admin").auth.getAccount({ selector }, CALL);
  return { ...member, browser, accountId: account!.id };
}

describe("the person's address is told", () => {
  test("when the account is going to be erased, and how to keep it", async () => {
    const { email, browser } = await setup();
    const before = visibleText((await browser.get(ERASE)).text);
    expect(before).toContain(`A mail to ${email} says the same`);
    await browser.post(ERASE, UNDERSTOOD);
    const mail = await mailTo(email, "Your account is going to be erased");
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).getUTCDate();
    expect(mail.text).toMatch(new RegExp(`On \\w+,? ${inAWeek} \\w+ \\d{4}.* UTC`));
    for (const body of [mail.text, mail.html]) expect(body).toContain(`${web.baseUrl}${ERASE}`);
    expect([mail.from, mail.to]).toEqual([SENDER.address, [email]]);
    await browser.post(`${ERASE}/keep`);
    await mailTo(email, "Your account stays");
  });

  test("once it was erased, and never again", async () => {
    const { email, browser, accountId } = await setup();
    await browser.post(ERASE, UNDERSTOOD);
    const { database } = web.backends.databases.auth;
    await database.query(sql`update erasures set due_at = now() where account_id = ${accountId}`);
    const mail = await mailTo(email, "Your account was erased");
    expect(mail.text).not.toContain("settings");
    const left = () => database.query(sql`select from mails where account_id is null`);
    await expect.poll(left).toEqual([]);
  });
});

test("an invitation arrives with the link, which signs in its person", async () => {
  const email = `${randomUUID()}@example.com`;
  await web.as("admin").auth.createAccount({ email, hasPremium: true }, CALL);
  const link = await web.invite(email);
  const mail = await mailTo(email, "You are invited to the Nutrition journal");
  expect(mail.text).toContain(link);
  expect(mail.html).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
  const browser = web.visitor();
  const page = await browser.get(pathOf(link));
  const token = hiddenField(page.text, "token_hash");
  const form = await browser.post("/oauth/callback", { type: "invite", token_hash: token });
  expect(visibleText(form.text)).toContain(`${email} is confirmed`);
});

test("the outbox never holds an invitation's link in plain text", async () => {
  const email = `${randomUUID()}@example.com`;
  await web.as("admin").auth.createAccount({ email }, CALL);
  inbox.refusals.set("MAIL", 451);
  try {
    const link = new URL(await web.invite(email));
    const { database } = web.backends.databases.auth;
    const rows = await database.query<{ sealed: string }>(sql`
      select encode(sealed_link, 'escape') as sealed from mails where recipient = ${email}
    `);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.sealed).not.toContain(link.searchParams.get("token_hash"));
  } finally {
    inbox.refusals.clear();
  }
});

test("an address that an operator invites by mistake gets no mail without an account", async () => {
  const email = `${randomUUID()}@example.com`;
  expect(await web.invite(email)).toContain("token_hash=");
  const { database } = web.backends.databases.auth;
  expect(await database.query(sql`select from mails where recipient = ${email}`)).toEqual([]);
});

test("a service without a mail server says so on the page, and queues nothing", async () => {
  const { browser, accountId } = await setup();
  const silent = await web.startAnother({ mail: undefined });
  const visitor = silent.visitor();
  for (const [name, value] of browser.cookies) visitor.cookies.set(name, value);
  expect(visibleText((await visitor.get(ERASE)).text)).toContain("This service sends no mail");
  await visitor.post(ERASE, UNDERSTOOD);
  const { database } = web.backends.databases.auth;
  expect(await database.query(sql`select from erasures where account_id = ${accountId}`)).toEqual([
    {},
  ]);
  expect(await database.query(sql`select from mails where account_id = ${accountId}`)).toEqual([]);
});
