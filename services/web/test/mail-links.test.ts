import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import { hiddenField, visibleText } from "./forms.ts";
import {
  isSignedIn,
  mailTo,
  makeMember,
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

/** Clicks the button on the page that a link leads to. */
async function confirm(browser: Browser, page: Answer): Promise<Answer> {
  const names = ["type", "token_hash", "state"];
  const fields = Object.fromEntries(names.map((name) => [name, hiddenField(page.text, name)]));
  return browser.post("/oauth/callback", fields);
}

async function open(browser: Browser, email: string): Promise<Answer> {
  return confirm(browser, await browser.get(pathOf(mailTo(web, email).link)));
}

let people = 0;
async function signUp(browser: Browser): Promise<string> {
  people += 1;
  const email = `person-${people}@example.com`;
  const answer = await browser.post("/sign-up", { email, password: PASSWORD });
  expect(answer.location).toBe("/sign-up?done=sent");
  return email;
}

describe("a link that confirms an address", () => {
  test("signs in the browser that signed up", async () => {
    const browser = web.visitor();
    const email = await signUp(browser);
    expect(await open(browser, email)).toMatchObject({ status: 303, location: "/journal" });
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("confirms in any other browser, too, without signing it in", async () => {
    const [browser, phone] = [web.visitor(), web.visitor()];
    const email = await signUp(browser);
    const answer = await open(phone, email);
    expect(visibleText(answer.text)).toContain("Your address is confirmed");
    expect(await isSignedIn(phone)).toBe(false);
    await signInMember(web, { email, password: PASSWORD });
  });

  test("is sent again, and the answer does not reveal who has an account", async () => {
    const browser = web.visitor();
    const email = await signUp(browser);
    const before = web.provider.inbox.length;
    const again = await browser.post("/sign-up/resend", { email });
    await expect.poll(() => web.provider.inbox.length).toBe(before + 1);
    const nobody = await web.visitor().post("/sign-up/resend", { email: "nobody@example.com" });
    expect([again.status, again.location]).toEqual([nobody.status, nobody.location]);
    expect(await open(browser, email)).toMatchObject({ status: 303, location: "/journal" });
  });

  test("is sent again a few times only", async () => {
    const browser = web.visitor();
    const email = await signUp(web.visitor());
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await browser.post("/sign-up/resend", { email })).status);
    expect(statuses[0]).toBe(303);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a link to a new password", () => {
  test("works in another browser than the one that asked for it, and names the account", async () => {
    const member = await makeMember(web);
    await web.visitor().post("/recover", { email: member.email });
    await recoveryMailArrives(web, member.email);
    const phone = web.visitor();
    const answer = await open(phone, member.email);
    expect(answer).toMatchObject({ status: 303, location: "/recover/password" });
    expect(visibleText((await phone.get(answer.location)).text)).toContain(member.email);
    await phone.post("/recover/password", { password: PASSWORD });
    await signInMember(web, { ...member, password: PASSWORD });
  });

  test("is not used up by programs that open it in advance", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await recoveryMailArrives(web, member.email);
    const path = pathOf(mailTo(web, member.email).link);
    for (let count = 0; count < 3; count += 1) await web.visitor().get(path);
    expect((await open(browser, member.email)).location).toBe("/recover/password");
  });

  test("works once, and then explains what to do", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await recoveryMailArrives(web, member.email);
    await open(browser, member.email);
    const again = await open(web.visitor(), member.email);
    expect(again.status).toBe(400);
    expect(again.text).toContain('href="/recover"');
  });

  test("cannot be used without the form's secret", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await recoveryMailArrives(web, member.email);
    const url = new URL(mailTo(web, member.email).link);
    const fields = { ...Object.fromEntries(url.searchParams), csrf: "" };
    expect((await browser.post("/oauth/callback", fields)).status).toBe(403);
    expect((await open(browser, member.email)).status).toBe(303);
  });
});

test.each([
  ["confirm.any", "&code=1", "Your address is confirmed"],
  ["recover.any", "&code=1", "Ask for a new link here"],
  ["recover.any", "&error_code=otp_expired", "used already, or it is too old"],
  ["confirm.any", "&error_code=otp_expired", "just sign in"],
  ["any", "&code=1", "did not begin in this browser"],
])("the return %s%s in another browser explains what to do", async (state, rest, text) => {
  const browser = web.visitor();
  const answer = await browser.get(`/oauth/callback?state=${state}${rest}`);
  expect(visibleText(answer.text)).toContain(text);
  expect(await isSignedIn(browser)).toBe(false);
});
