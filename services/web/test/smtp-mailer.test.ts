import { Secret } from "@nutrition/core/secret";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { SmtpMailer } from "../src/mails/smtp-mailer.ts";
import { SENDER, SmtpInbox } from "./smtp-inbox.ts";

const MAIL = {
  to: "ada@example.com",
  messageId: "<1@journal.example.com>",
  subject: "Grüße: your account",
  text: "Hello\n.\nQUIT\n",
  html: "<p>Hello</p>",
};
const { signal } = new AbortController();

let inbox: SmtpInbox;
beforeAll(async () => void (inbox = await SmtpInbox.start()));
afterAll(() => inbox[Symbol.asyncDispose]());
beforeEach(() => void inbox.mails.splice(0));

const send = (changes: Partial<typeof MAIL>) =>
  new SmtpMailer(inbox.server, SENDER).send({ ...MAIL, ...changes }, signal);

test("a mail has a text, the same as HTML, and says that no person wrote it", async () => {
  expect(await send({})).toEqual({ kind: "accepted" });
  const [mail] = inbox.mails;
  expect(mail!.text.replaceAll("\r\n", "\n")).toBe(MAIL.text);
  expect(mail!.html).toContain(MAIL.html);
  expect(mail!.headers.get("auto-submitted")).toBe("auto-generated");
  expect(mail!.headers.get("message-id")).toBe(MAIL.messageId);
  expect(mail!.headers.get("from")).toBe("Nutrition journal <journal@example.com>");
});

test.each([
  "ada@example.com\r\nBcc: eve@evil.example",
  "ada@example.com\nBcc: eve@evil.example",
  "ada@example.com, eve@evil.example",
  "ada@example.com>\r\nRCPT TO:<eve@evil.example",
  '"eve@evil.example" <ada@example.com>',
  '"eve@evil.example x"@example.com',
  "eve@evil.example <ada@example.com>",
])("the hostile address %j gets no mail, nor does anybody else", async (to) => {
  expect(await send({ to })).toEqual({ kind: "rejected", reason: "not an address" });
  expect(inbox.mails).toEqual([]);
});

test.each(["subject", "messageId"] as const)(
  "a line break in the %s adds no header",
  async (field) => {
    await send({ [field]: "<x>\r\nBcc: eve@evil.example\r\n\r\nanother body" });
    for (const mail of inbox.mails) {
      expect(mail.headers.has("bcc")).toBe(false);
      expect(mail.text.replaceAll("\r\n", "\n")).toBe(MAIL.text);
    }
  },
);

test("it logs in with what the settings say", async () => {
  const login = { user: "journal@example.com", password: new Secret("p@ss:wörd/?#") };
  const mailer = new SmtpMailer({ ...inbox.server, login }, SENDER);
  expect(await mailer.send(MAIL, signal)).toEqual({ kind: "accepted" });
  expect(inbox.logins).toEqual([{ user: login.user, password: "p@ss:wörd/?#" }]);
});

test("a server that does not encrypt gets neither the login nor a mail where that is required", async () => {
  const login = { user: "journal", password: new Secret("password") };
  const server = { ...inbox.server, isTlsRequired: true, login };
  const before = inbox.logins.length;
  const delivery = await new SmtpMailer(server, SENDER).send(MAIL, signal);
  expect(delivery).toMatchObject({ kind: "postponed", reason: expect.stringContaining("ETLS") });
  expect([inbox.mails, inbox.logins.length]).toEqual([[], before]);
});

test("a server whose certificate nobody vouches for gets no mail", async () => {
  // The library's own certificate, whose key is public.
  await using stranger = await SmtpInbox.start({ disabledCommands: [] });
  const server = { ...stranger.server, isTlsRequired: true };
  expect(await new SmtpMailer(server, SENDER).send(MAIL, signal)).toMatchObject({
    kind: "postponed",
  });
  expect(stranger.mails).toEqual([]);
});
