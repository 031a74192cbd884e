import { randomBytes } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { MailOutboxOptions } from "../src/mails/mail-outbox.ts";
import { MailOutbox } from "../src/mails/mail-outbox.ts";
import { SealedLinks } from "../src/mails/sealed-links.ts";
import type { Mailer } from "../src/mails/smtp-mailer.ts";
import { SmtpMailer } from "../src/mails/smtp-mailer.ts";
import { SealedCookies } from "../src/sessions/sealed-cookies.ts";
import { SENDER, SmtpInbox } from "./smtp-inbox.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

// Outboxes that the tests run themselves, over the real auth service and a real mail server.

const BASE_URL = "https://journal.example.com";
const keys = [new Secret(randomBytes(32).toString("base64url"))];
const seals = (clock: Clock = systemClock) =>
  new SealedLinks(new SealedCookies({ keys, isHttps: true, clock }));

let web: WebFixture;
let inbox: SmtpInbox;
beforeAll(async () => {
  web = await startWebFixture();
  inbox = await SmtpInbox.start();
});
afterAll(async () => {
  await inbox[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
beforeEach(async () => {
  inbox.mails.splice(0);
  inbox.refusals.clear();
  await web.backends.databases.auth.database.query(sql`delete from mails`);
});

function outboxWith(changes: Partial<MailOutboxOptions> = {}): MailOutbox {
  const { auth } = web.as("web");
  const mailer = new SmtpMailer(inbox.server, SENDER);
  const usual = { backends: { auth }, mailer, links: seals(), baseUrl: BASE_URL };
  return new MailOutbox({ ...usual, logger: silentLogger, ...changes });
}

async function queue(link = `${BASE_URL}/oauth/callback?token_hash=secret`): Promise<string> {
  const { email } = await web.makePerson();
  const sealedLink = await seals().seal(link);
  await web.as("web").auth.queueInvitation({ email, sealedLink }, CALL);
  return email;
}

/** What the outbox holds: null for what was sent or given up. */
async function waiting(): Promise<{ recipient: string | null; attempts: number }[]> {
  return web.backends.databases.auth.database.query(sql`select recipient, attempts from mails`);
}

/** Makes every mail due, as if its lease or pause had ended. */
async function passTime(): Promise<void> {
  await web.backends.databases.auth.database.query(sql`
    update mails set due_at = clock_timestamp()
  `);
}

describe("a mail arrives", () => {
  test("once, however many instances send at the same time", async () => {
    const people = new Set([await queue(), await queue(), await queue(), await queue()]);
    const outboxes = [outboxWith(), outboxWith(), outboxWith()];
    await Promise.all(outboxes.map((outbox) => outbox.sendDue()));
    await outboxes[0]!.sendDue();
    expect(new Set(inbox.mails.flatMap(({ to }) => to))).toEqual(people);
    expect(inbox.mails).toHaveLength(4);
    expect((await waiting()).every(({ recipient }) => recipient === null)).toBe(true);
  });

  test("when the instance that leased it died before the mail server accepted it", async () => {
    const email = await queue();
    await web.as("web").auth.takeMails({}, CALL);
    await outboxWith().sendDue();
    expect(inbox.mails).toEqual([]);
    await passTime();
    await outboxWith().sendDue();
    expect(inbox.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  test("again with the same Message-ID when the instance died after that", async () => {
    await queue();
    const { auth } = web.as("web");
    const finishMail = () => Promise.reject(new Error("The process died."));
    const dying = outboxWith({ backends: { auth: { ...auth, finishMail } } });
    await expect(dying.sendDue()).rejects.toThrow("died");
    await passTime();
    await outboxWith().sendDue();
    await passTime();
    await outboxWith().sendDue();
    const ids = inbox.mails.map(({ headers }) => headers.get("message-id"));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@journal\.example\.com>$/);
  });

  test.each([
    ["MAIL", 451],
    ["MAIL", 550],
    ["RCPT", 450],
    ["DATA", 452],
  ] as const)("later when the server refused %s with %i", async (step, code) => {
    const email = await queue();
    inbox.refusals.set(step, code);
    await outboxWith().sendDue();
    expect(await waiting()).toEqual([{ recipient: email, attempts: 1 }]);
    inbox.refusals.clear();
    await passTime();
    await outboxWith().sendDue();
    expect(inbox.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  test("later when the mail server was away", async () => {
    const email = await queue();
    const away = new SmtpMailer({ ...inbox.server, port: 1 }, SENDER);
    await outboxWith({ mailer: away }).sendDue();
    await passTime();
    await outboxWith().sendDue();
    expect(inbox.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  test("although another cannot be sent", async () => {
    const [first, second] = [await queue(), await queue()];
    const real = new SmtpMailer(inbox.server, SENDER);
    const mailer: Mailer = {
      send: async (mail, signal) =>
        mail.to === first ? { kind: "postponed", reason: "ETIMEDOUT" } : real.send(mail, signal),
    };
    await outboxWith({ mailer }).sendDue();
    expect(inbox.mails.map(({ to }) => to)).toEqual([[second]]);
  });
});

describe("a mail is given up", () => {
  test.each(["RCPT", "DATA"] as const)("when the server refuses %s for good", async (step) => {
    await queue();
    inbox.refusals.set(step, 550);
    await outboxWith().sendDue();
    expect(await waiting()).toEqual([{ recipient: null, attempts: 1 }]);
  });

  test("when its invitation is older than an hour", async () => {
    await queue();
    const later = { ...systemClock, now: () => new Date(Date.now() + 3_601_000) };
    await outboxWith({ links: seals(later) }).sendDue();
    expect(await waiting()).toEqual([{ recipient: null, attempts: 1 }]);
    expect(inbox.mails).toEqual([]);
  });
});

test("a stop does not wait for a slow mail server, and the mail is kept", async () => {
  const email = await queue();
  const greeting = Promise.withResolvers<void>();
  inbox.greeting = greeting.promise;
  const before = inbox.connections;
  try {
    const outbox = outboxWith();
    const sending = outbox.sendDue();
    await expect.poll(() => inbox.connections).toBe(before + 1);
    outbox[Symbol.dispose]();
    await sending;
    expect(await waiting()).toEqual([{ recipient: email, attempts: 1 }]);
  } finally {
    greeting.resolve();
    inbox.greeting = undefined;
  }
});

test("the log tells why a mail waits, without addresses, links or texts", async () => {
  const email = await queue();
  const lines: string[] = [];
  const write = (facts: object, message: string) =>
    void lines.push(JSON.stringify([facts, message]));
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  inbox.refusals.set("RCPT", 450);
  await outboxWith({ logger }).sendDue();
  inbox.refusals.set("RCPT", 550);
  await passTime();
  await outboxWith({ logger }).sendDue();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("RCPT TO 450");
  expect(lines[1]).toContain("mail given up");
  for (const secret of [email, "ada@example.com", "secret"])
    expect(lines.join()).not.toContain(secret);
});
