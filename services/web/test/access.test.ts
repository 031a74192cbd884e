import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { canRenew, connect, registerClient } from "./assistants.ts";
import type { Browser } from "./browser.ts";
import { hiddenField, visibleText } from "./forms.ts";
import { choosePassword, makeMember, openRecoveryMail, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

const KEY = /service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{104}/;
const NEW_PASSWORD = "a new long password";

let web: WebFixture;
let member: Member;
let laptop: Browser;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  web.provider.faults.reset();
  web.proxy.reset();
  member = await makeMember(web);
  laptop = await signInMember(web, member);
});

async function createKey(browser: Browser, name: string): Promise<string> {
  const { text } = await browser.get("/settings/keys");
  const creation_id = hiddenField(text, "creation_id");
  const form = { name, access: "read", expiry: "90", expiry_date: "", creation_id };
  return KEY.exec((await browser.post("/settings/keys", form)).text)![0];
}

async function works(apiKey: string): Promise<boolean> {
  const { outcome } = await web.as("gateway").auth.authenticate({ apiKey }, CALL);
  return outcome.case === "principal";
}

/** A browser that followed the mail's link for a forgotten password, and sends the form of its page. */
async function recovering() {
  const browser = web.visitor();
  await browser.post("/recover", { email: member.email, return_to: "/settings/profile" });
  const form = await openRecoveryMail(web, browser, member.email);
  return { browser, save: () => choosePassword(browser, form, NEW_PASSWORD) };
}

/** Whether the session is live: tries a change, which needs one. */
async function mayChange(browser: Browser): Promise<boolean> {
  const { location } = await browser.post("/settings/profile", { "goals.calories": "1900" });
  return location.startsWith("/settings/profile");
}

describe("a password reset", () => {
  test("ends all other sessions, and begins one", async () => {
    const { browser, save } = await recovering();
    expect(await mayChange(browser)).toBe(false);
    const saved = await save();
    expect(saved.location).toBe(
      "/settings/access?done=password-changed&return_to=%2Fsettings%2Fprofile",
    );
    expect(await mayChange(laptop)).toBe(false);
    expect(await mayChange(browser)).toBe(true);
  });

  test("is completed by sending the form again after a failure in between", async () => {
    const { browser, save } = await recovering();
    web.proxy.interrupt = (method, url) =>
      method === "PUT" && url.includes("/user") ? "after" : undefined;
    expect((await save()).status).toBe(503);
    expect(await mayChange(browser)).toBe(false);
    web.proxy.reset();
    expect((await save()).status).toBe(303);
    expect([await mayChange(laptop), await mayChange(browser)]).toEqual([false, true]);
    await signInMember(web, { ...member, password: NEW_PASSWORD });
  });

  test("ends nobody else's sessions", async () => {
    const other = await signInMember(web, await makeMember(web));
    await (await recovering()).save();
    expect(await mayChange(other)).toBe(true);
  });

  test("offers to end keys and assistants, and ends only what is chosen", async () => {
    const [old, current] = [await createKey(laptop, "Old"), await createKey(laptop, "Current")];
    const client = await registerClient(web);
    await connect(web, laptop, client);
    const { browser, save } = await recovering();
    const saved = await save();
    const page = await browser.get(saved.location);
    const text = visibleText(page.text);
    for (const shown of ["signed out everywhere else", "Old", "Current", "Claude", "claude.ai"]) {
      expect(text).toContain(shown);
    }
    const boxes = [...page.text.matchAll(/name="key_id" value="([^"]*)"/g)].map(([, id]) => id!);
    const fields = { return_to: hiddenField(page.text, "return_to"), end: "chosen" };
    // Newest first.
    const ended = await browser.post("/settings/access", { ...fields, key_id: [boxes[1]!] });
    expect(ended.location).toContain("done=ended");
    expect(await Promise.all([old, current].map(works))).toEqual([false, true]);
    const next = await browser.get(ended.location);
    expect(visibleText(next.text)).not.toContain("Old");
    expect(visibleText(next.text)).toContain("Claude");
    expect(next.text).toContain('href="/settings/profile"');
  });
});

describe("the page that lists all access", () => {
  test("ends all keys and assistants at once, at the provider, too", async () => {
    const keys = [await createKey(laptop, "One"), await createKey(laptop, "Two")];
    const client = await registerClient(web);
    const { refreshToken } = await connect(web, laptop, client);
    const ended = await laptop.post("/settings/access", { end: "all" });
    expect(await Promise.all(keys.map(works))).toEqual([false, false]);
    expect(await canRenew(web, client, refreshToken)).toBe(false);
    const page = visibleText((await laptop.get(ended.location)).text);
    expect(page).toContain("no API keys and no connected assistants");
  });

  test("ends nothing when nothing, or somebody else's key, is chosen", async () => {
    const other = await signInMember(web, await makeMember(web));
    const theirs = await createKey(other, "Theirs");
    const [, id] = /\/settings\/keys\/([0-9a-f-]+)\/revoke/.exec(
      (await other.get("/settings/keys")).text,
    )!;
    for (const key_id of [[], [id!]]) {
      const answer = await laptop.post("/settings/access", { end: "chosen", key_id });
      expect(answer.location).toContain("done=nothing");
    }
    expect(await works(theirs)).toBe(true);
  });

  test("redirects only to our own pages", async () => {
    const page = await laptop.get("/settings/access?return_to=https://evil.example/");
    expect(page.text).not.toContain("evil.example");
  });

  test("is linked from the profile, as is signing out everywhere", async () => {
    const profile = await laptop.get("/settings/profile");
    expect(profile.text).toContain('href="/settings/access"');
    const page = await laptop.get("/settings/access");
    expect(page.text).toContain('action="/settings/sign-out-everywhere"');
  });
});
