import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import type { Member } from "./members.ts";
import {
  choosePassword,
  isSignedIn,
  mailTo,
  makeMember,
  openLink,
  pathOf,
  recoveryMailArrives,
  signInMember,
} from "./members.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

// Mails whose links lead to the pages, as in the documented templates of the identity provider.

const PASSWORD = "a long new password";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture({ mailLinksTo: "site" })));
afterAll(() => web[Symbol.asyncDispose]());

const open = (browser: Browser, email: string) => openLink(web, browser, email);

let people = 0;
async function signUp(browser: Browser, returnTo = "/journal"): Promise<string> {
  people += 1;
  const email = `person-${people}@example.com`;
  const answer = await browser.post("/sign-up", { email, return_to: returnTo });
  expect(answer.location).toBe("/sign-up?done=sent");
  return email;
}

describe("a link that confirms an address", () => {
  test("asks for a password, then signs in and continues where the sign-up began", async () => {
    const browser = web.visitor();
    const email = await signUp(browser, "/settings/keys");
    const form = await open(browser, email);
    expect(visibleText(form.text)).toContain(`${email} is confirmed`);
    expect(await isSignedIn(browser)).toBe(false);
    const saved = await choosePassword(browser, form, PASSWORD);
    expect(saved).toMatchObject({ status: 303, location: "/settings/keys" });
    expect(await isSignedIn(browser)).toBe(true);
    await signInMember(web, { email, password: PASSWORD });
  });

  test("does so in any other browser, too, on a page that names the address", async () => {
    const email = await signUp(web.visitor());
    const phone = web.visitor();
    const form = await open(phone, email);
    expect(visibleText(form.text)).toContain(email);
    const saved = await choosePassword(phone, form, PASSWORD);
    expect(saved).toMatchObject({ status: 303, location: "/journal" });
    expect(await isSignedIn(phone)).toBe(true);
  });

  test("sets no cookie that signs anybody in before the password is chosen", async () => {
    const browser = web.visitor();
    const email = await signUp(browser);
    await open(browser, email);
    expect([...browser.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
    const { database } = web.backends.databases.auth;
    expect(await database.query(sql`select from accounts where email = ${email}`)).toEqual([]);
  });

  test("is sent again, and the answer does not reveal who has an account", async () => {
    const browser = web.visitor();
    const email = await signUp(browser);
    const again = await browser.post("/sign-up/resend", { email });
    const nobody = await web.visitor().post("/sign-up/resend", { email: "nobody@example.com" });
    expect([again.status, again.location]).toEqual([nobody.status, nobody.location]);
    expect((await open(browser, email)).status).toBe(200);
  });
});

describe("a link to a new password", () => {
  /** A member who has asked for the link. */
  async function forgetful(browser: Browser): Promise<Member> {
    const member = await makeMember(web);
    await browser.post("/recover", { email: member.email });
    await recoveryMailArrives(web, member.email);
    return member;
  }

  test("works in another browser than the one that asked for it, and names the account", async () => {
    const member = await forgetful(web.visitor());
    const phone = web.visitor();
    const form = await open(phone, member.email);
    expect(visibleText(form.text)).toContain(member.email);
    await choosePassword(phone, form, PASSWORD);
    await signInMember(web, { ...member, password: PASSWORD });
  });

  test("is not used up by programs that open it in advance", async () => {
    const browser = web.visitor();
    const member = await forgetful(browser);
    const path = pathOf(mailTo(web, member.email).link);
    for (let count = 0; count < 3; count += 1) await web.visitor().get(path);
    expect((await open(browser, member.email)).status).toBe(200);
  });

  test("works once, and then explains what to do", async () => {
    const browser = web.visitor();
    const member = await forgetful(browser);
    await open(browser, member.email);
    const again = await open(web.visitor(), member.email);
    expect(again.status).toBe(400);
    expect(again.text).toContain('href="/recover"');
  });

  test("cannot be used without the form's secret", async () => {
    const browser = web.visitor();
    const member = await forgetful(browser);
    const url = new URL(mailTo(web, member.email).link);
    const fields = { ...Object.fromEntries(url.searchParams), csrf: "" };
    expect((await browser.post("/oauth/callback", fields)).status).toBe(403);
    expect((await open(browser, member.email)).status).toBe(200);
  });
});

describe("a link of the provider's own template", () => {
  test.each([
    ["confirm.any", "&code=1", "Your address is confirmed"],
    // Sent again by a release without PKCE for that: what it did is in the fragment, which no server sees.
    ["confirm.any", "", "Your address is confirmed"],
    ["recover.any", "&code=1", "Ask for a new link here"],
    ["recover.any", "&error=access_denied&error_code=otp_expired", "used already, it is too old"],
    ["confirm.any", "&error=access_denied&error_code=otp_expired", "have a new link sent"],
    ["any", "&code=1", "did not begin in this browser"],
  ])("with the return %s%s explains what to do", async (state, rest, text) => {
    const browser = web.visitor();
    const answer = await browser.get(`/oauth/callback?state=${state}${rest}`);
    expect(visibleText(answer.text)).toContain(text);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
