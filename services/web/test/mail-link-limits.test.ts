import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { hiddenField, visibleText } from "./forms.ts";
import { isSignedIn, pathOf } from "./members.ts";
import { SteppedClock } from "./stepped-clock.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'autocomplete="new-password"';
const INVALID = { type: "invite", token_hash: "not-a-token-of-anybody", state: "" };

let clock: SteppedClock;
let web: WebFixture;
beforeAll(async () => {
  clock = new SteppedClock(new Date());
  web = await startWebFixture({ clock, mailLinksTo: "site" });
});
afterAll(() => web[Symbol.asyncDispose]());
// What one test used up is free again for the next.
beforeEach(() => clock.advance(25 * 60 * MINUTE_MS));

/** The client's network as stated by the gateway. */
const from = (network: number) => ({ "x-forwarded-for": `198.51.${network}.7` });

describe("an invitation", () => {
  async function invited() {
    const email = `${randomUUID()}@example.com`;
    await web.as("admin").auth.createAccount({ email }, CALL);
    const browser = web.visitor();
    const page = await browser.get(pathOf(await web.invite(email)));
    return { browser, fields: { ...INVALID, token_hash: hiddenField(page.text, "token_hash") } };
  }

  test("is accepted by nobody without the form's secret, and stays unused", async () => {
    const { browser, fields } = await invited();
    for (const csrf of ["", "of-another-page"]) {
      const answer = await browser.post("/oauth/callback", { ...fields, csrf });
      expect(answer.status).toBe(403);
    }
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.post("/oauth/callback", fields)).text).toContain(NEW_PASSWORD);
  });

  test("cannot be guessed: a network may try 30 links in 10 minutes, and others still work", async () => {
    const { browser, fields } = await invited();
    const guesser = web.visitor();
    const guess = async () => (await guesser.post("/oauth/callback", INVALID, from(1))).status;
    for (let count = 0; count < 30; count += 1) expect(await guess()).toBe(400);
    const refused = await guesser.post("/oauth/callback", INVALID, from(1));
    expect(refused.status).toBe(429);
    expect(visibleText(refused.text)).toContain("Try again in 10 minutes");
    // A right one neither gets through there nor is used up.
    expect((await browser.post("/oauth/callback", fields, from(1))).status).toBe(429);
    const accepted = await browser.post("/oauth/callback", fields, from(2));
    expect(accepted.text).toContain(NEW_PASSWORD);
    clock.advance(10 * MINUTE_MS);
    expect(await guess()).toBe(400);
  });
});

describe("the mail that confirms an address", () => {
  const RESEND = "/sign-up/resend";
  const mailsTo = (email: string) => web.provider.inbox.filter(({ to }) => to === email).length;

  async function signedUp(): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    await web.visitor().post("/sign-up", { email });
    expect(mailsTo(email)).toBe(1);
    return email;
  }

  test("is sent again to nobody without the form's secret", async () => {
    const email = await signedUp();
    const browser = web.visitor();
    for (const csrf of ["", "of-another-page"])
      expect((await browser.post(RESEND, { email, csrf })).status).toBe(403);
    expect(mailsTo(email)).toBe(1);
  });

  test("is sent again twice, however many networks ask, and then once in a while", async () => {
    const email = await signedUp();
    const ask = async (network: number) =>
      (await web.visitor().post(RESEND, { email }, from(network))).status;
    // The identity provider sends one a minute, which the answer does not reveal.
    expect([await ask(10), await ask(11)]).toEqual([303, 303]);
    expect(mailsTo(email)).toBe(1);
    expect(await ask(12)).toBe(429);
    clock.advance(MINUTE_MS);
    expect(await ask(13)).toBe(303);
    await expect.poll(() => mailsTo(email)).toBe(2);
    expect(await ask(14)).toBe(429);
  });

  test("needs an address", async () => {
    const answer = await web.visitor().post(RESEND, { email: "" });
    expect(answer.status).toBe(400);
    expect(visibleText(answer.text)).toContain("Enter your e-mail address");
  });
});

describe("one network asks for at most 5 mails an hour, whoever they are for", () => {
  const PATHS = ["/sign-up", "/recover", "/sign-up/resend", "/recover", "/sign-up"];
  const ask = (path: string, headers: Record<string, string>) =>
    web.visitor().post(path, { email: `${randomUUID()}@example.com` }, headers);

  test.each([
    ["IPv4", (_host: number) => from(30), () => from(31)],
    [
      "IPv6",
      (host: number) => ({ "x-forwarded-for": `2001:db8:1:2::${host}` }),
      () => ({ "x-forwarded-for": "2001:db8:1:3::1" }),
    ],
  ])("counting sign-ups, recoveries and mails sent again together (%s)", async (_, own, other) => {
    for (const [index, path] of PATHS.entries())
      expect((await ask(path, own(index))).status).toBe(303);
    const before = web.provider.inbox.length;
    for (const path of PATHS) {
      const refused = await ask(path, own(9));
      expect(refused.status).toBe(429);
      expect(visibleText(refused.text)).toContain("Try again in 60 minutes");
    }
    expect(web.provider.inbox.length).toBe(before);
    expect((await ask("/sign-up", other())).status).toBe(303);
    clock.advance(60 * MINUTE_MS);
    expect((await ask("/sign-up", own(0))).status).toBe(303);
  });
});
