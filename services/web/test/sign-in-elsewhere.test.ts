import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { chooseAtThirdParty, isSignedIn, pathOf } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => web.provider.faults.reset());

describe("a third party", () => {
  test.each(["google", "github"])("signs in (%s) and creates the account", async (provider) => {
    const browser = web.visitor();
    const email = `new-${provider}@example.com`;
    const start = await browser.get(`/sign-in/with/${provider}?return_to=/settings/connections`);
    expect(start.status).toBe(303);
    expect(new URL(start.location).searchParams.get("provider")).toBe(provider);
    const back = await chooseAtThirdParty(start.location, { email, name: "Grace" });
    const answer = await browser.get(pathOf(back));
    expect(answer).toMatchObject({ status: 303, location: "/settings/connections" });
    expect((await browser.get("/settings/connections")).text).toContain(email);
  });

  test("that is not configured is not found", async () => {
    expect((await web.visitor().get("/sign-in/with/facebook")).status).toBe(404);
  });

  test("that was cancelled leads back to the sign-in page", async () => {
    const browser = web.visitor();
    const start = await browser.get("/sign-in/with/google?return_to=/settings/keys");
    const back = await chooseAtThirdParty(start.location, { action: "cancel" });
    const answer = await browser.get(pathOf(back));
    expect(answer.location).toBe("/sign-in?done=declined&return_to=%2Fsettings%2Fkeys");
    expect((await browser.get(answer.location)).text).toContain("was not finished");
  });

  test.each([
    ["access_denied", "provider_email_needs_verification", "Open the link in the mail"],
    ["access_denied", "signup_disabled", "for an invitation"],
    ["access_denied", "user_banned", "is blocked"],
    ["server_error", "unexpected_failure", "could not sign you in"],
    ["temporarily_unavailable", "", "could not sign you in"],
  ])("that fails with %s %s says what happened", async (error, errorCode, words) => {
    const browser = web.visitor();
    const start = await browser.get("/sign-in/with/google");
    const back = new URL(await chooseAtThirdParty(start.location, { action: "cancel" }));
    back.searchParams.set("error", error);
    back.searchParams.set("error_code", errorCode);
    const answer = await browser.get(pathOf(back.href));
    expect((await browser.get(answer.location)).text).toContain(words);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("signs in only the browser that asked for it", async () => {
    const [attacker, victim] = [web.visitor(), web.visitor()];
    const start = await attacker.get("/sign-in/with/google");
    const back = await chooseAtThirdParty(start.location, { email: "mallory@example.com" });
    await victim.get("/sign-in/with/google");
    const answer = await victim.get(pathOf(back));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("did not begin in this browser");
    expect(await isSignedIn(victim)).toBe(false);
  });

  test("signs in only once with one code", async () => {
    const browser = web.visitor();
    const start = await browser.get("/sign-in/with/google");
    const back = pathOf(await chooseAtThirdParty(start.location, { email: "once@example.com" }));
    const cookies = new Map(browser.cookies);
    expect((await browser.get(back)).status).toBe(303);
    const again = web.visitor();
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect((await again.get(back)).status).toBe(400);
  });

  test("signs in nobody with an expired code", async () => {
    const browser = web.visitor();
    const start = await browser.get("/sign-in/with/google");
    const back = await chooseAtThirdParty(start.location, { email: "late@example.com" });
    web.provider.faults.areCodesExpired = true;
    expect((await browser.get(pathOf(back))).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
