import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { authorize, connect, registerClient } from "./assistants.ts";
import type { Browser } from "./browser.ts";
import { chooseAtThirdParty, choosePassword, openLink, pathOf, signInMember } from "./members.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

const CHOSEN = "chosen by the assistant";
const ROUTE = "/settings/sign-in-methods";
const PAGES = ["/journal", "/settings/connections", "/settings/keys", "/settings/profile"];
const NOTICE = "signed in to your account with a password</strong> for the first time";

let web: WebFixture;
beforeAll(async () => {
  // A provider with settings other than the documented ones.
  const security = { detachClientTokens: false };
  web = await startWebFixture({ security, mailLinksTo: "site" });
});
afterAll(() => web[Symbol.asyncDispose]());

async function signInElsewhere(email: string): Promise<Browser> {
  const browser = web.visitor();
  const start = await browser.get("/sign-in/with/google?return_to=/settings/connections");
  await browser.get(pathOf(await chooseAtThirdParty(start.location, { email, name: "Ada" })));
  return browser;
}

/** An allowed assistant sets a password with its own token. */
async function setPasswordAsAssistant(person: Browser, password: string): Promise<void> {
  const { accessToken } = await connect(web, person, await registerClient(web));
  const response = await fetch(`${web.provider.issuer}/user`, {
    method: "PUT",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ password }),
  });
  expect(response.status).toBe(200);
}

const hasNotice = async (browser: Browser, path = "/journal") =>
  (await browser.get(path)).text.includes(NOTICE);

describe("a stranger who signs in with a password that the person never set", () => {
  let email: string;
  let person: Browser;
  let stranger: Browser;
  beforeEach(async () => {
    email = `${randomUUID()}@example.com`;
    await web.as("admin").auth.createAccount({ email, hasPremium: true }, CALL);
    person = await signInElsewhere(email);
    await setPasswordAsAssistant(person, CHOSEN);
    expect(await hasNotice(person)).toBe(false);
    stranger = await signInMember(web, { email, password: CHOSEN });
    // Setting the password has ended the person's session at the provider, so they sign in again.
    person = await signInElsewhere(email);
  });

  test("is reported on every page, and on the consent page", async () => {
    for (const path of PAGES) expect(await hasNotice(person, path), path).toBe(true);
    const other = await registerClient(web, { redirectUri: "https://chatgpt.com/callback" });
    expect(await hasNotice(person, await authorize(web, other))).toBe(true);
  });

  test("cannot dismiss the notice for the person", async () => {
    await stranger.post(ROUTE, { return_to: "/journal" });
    expect(await hasNotice(stranger)).toBe(false);
    expect(await hasNotice(person)).toBe(true);
    expect(await hasNotice(await signInElsewhere(email))).toBe(true);
  });

  test("is reported until the person confirms the sign-in, who then returns to the page", async () => {
    const answer = await person.post(ROUTE, { return_to: "/settings/keys" });
    expect(answer).toMatchObject({ status: 303, location: "/settings/keys" });
    for (const browser of [person, stranger, await signInElsewhere(email)]) {
      expect(await hasNotice(browser)).toBe(false);
    }
  });

  test("is reported only in sessions of that account", async () => {
    await stranger.post(ROUTE);
    const somebodyElse = `${randomUUID()}@example.com`;
    expect(await hasNotice(await signInElsewhere(somebodyElse))).toBe(false);
  });
});

test("a person learns what to do if somebody else signed in", async () => {
  const browser = await signInElsewhere(`${randomUUID()}@example.com`);
  const { status, text } = await browser.get(ROUTE);
  expect(status).toBe(200);
  for (const link of ["/recover", "/settings/access", "/settings/connections", "/settings/keys"]) {
    expect(text).toContain(`href="${link}"`);
  }
});

describe("a person who uses links in mails", () => {
  const PASSWORD = "a long new password";

  async function askAndSetPassword(path: string, email: string): Promise<Browser> {
    const browser = web.visitor();
    const mails = () => web.provider.inbox.filter(({ to }) => to === email).length;
    const before = mails();
    await browser.post(path, { email });
    await expect.poll(mails).toBe(before + 1);
    await choosePassword(browser, await openLink(web, browser, email), PASSWORD);
    return browser;
  }

  const hasAnyNotice = async (browser: Browser) =>
    (await browser.get("/journal")).text.includes("for the first time");

  test("gets no notice about the password chosen at the sign-up, in any browser", async () => {
    const email = `${randomUUID()}@example.com`;
    const own = await askAndSetPassword("/sign-up", email);
    const others = [
      await signInMember(web, { email, password: PASSWORD }),
      await signInMember(web, { email, password: PASSWORD }),
    ];
    for (const browser of [own, ...others]) expect(await hasAnyNotice(browser)).toBe(false);
  });

  test("gets no notice about a password reset", async () => {
    const email = `${randomUUID()}@example.com`;
    await askAndSetPassword("/sign-up", email);
    await askAndSetPassword("/recover", email);
    const elsewhere = await signInMember(web, { email, password: PASSWORD });
    expect(await hasAnyNotice(elsewhere)).toBe(false);
  });

  test("confirms a new method for every browser, which its own session cannot", async () => {
    const email = `${randomUUID()}@example.com`;
    const own = await askAndSetPassword("/sign-up", email);
    const google = await signInElsewhere(email);
    expect(await hasAnyNotice(own)).toBe(true);
    await google.post(ROUTE);
    expect([await hasAnyNotice(google), await hasAnyNotice(own)]).toEqual([false, true]);
    await own.post(ROUTE);
    expect(await hasAnyNotice(await signInElsewhere(email))).toBe(false);
  });
});

test("a confirmation requires the secret of the form", async () => {
  const browser = await signInElsewhere(`${randomUUID()}@example.com`);
  expect((await browser.post(ROUTE, { csrf: "wrong" })).status).toBe(403);
});
