import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import { hiddenField, visibleText } from "./forms.ts";
import { chooseAtThirdParty, makeMember, pathOf, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { ShiftedClock } from "./shifted-clock.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

const KEY = /service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{104}/;
const FORM = { name: "Nightly “script”", access: "write", expiry: "365", expiry_date: "" };
const AGAIN = "/sign-in?done=again&return_to=";

const clock = new ShiftedClock();
let web: WebFixture;
let member: Member;
let browser: Browser;
beforeAll(async () => void (web = await startWebFixture({ clock })));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  member = await makeMember(web);
  browser = await signInMember(web, member);
});

async function create(changes: Record<string, string> = {}): Promise<Answer> {
  const { text } = await browser.get("/settings/keys");
  const creation_id = hiddenField(text, "creation_id");
  return browser.post("/settings/keys", { ...FORM, creation_id, ...changes });
}

/** Signs in on the page of the redirect, and returns the page after it. */
async function signInAgain(answer: Answer, who = member): Promise<Answer> {
  const page = await browser.get(answer.location);
  expect(page.status).toBe(200);
  const return_to = hiddenField(page.text, "return_to");
  return browser.follow(await browser.post("/sign-in", { ...who, return_to }));
}

const tenMinutesLater = () => web.ageSignIns("10 minutes 1 second");

describe("creating a key 10 minutes after the sign-in", () => {
  test("asks for another sign-in, then shows the form as it was filled in", async () => {
    await tenMinutesLater();
    const refused = await create();
    expect(refused.location).toBe(`${AGAIN}%2Fsettings%2Fkeys`);
    const asked = await browser.get(refused.location);
    expect(visibleText(asked.text)).toContain("sign in again to continue");
    expect(asked.text).toContain(`value="${member.email}"`);

    const filled = await signInAgain(refused);
    expect(visibleText(filled.text)).toContain("You are signed in again");
    expect(filled.text).toContain('value="Nightly “script”"');
    expect(filled.text).toMatch(/value="write"\s+checked/);
    expect(filled.text).toContain('<option value="365" selected>');
    expect((await create()).text).toMatch(KEY);
  });

  test("shows the filled-in form once, and to nobody else", async () => {
    await tenMinutesLater();
    const refused = await create();
    const other = await makeMember(web);
    const others = await signInAgain(refused, other);
    expect(others.text).not.toContain("Nightly");
    const own = await signInAgain(refused);
    expect(own.text).toContain("Nightly");
    expect((await browser.get("/settings/keys")).text).not.toContain("Nightly");
  });

  test("is not allowed by renewing the provider's token", async () => {
    await tenMinutesLater();
    const before = browser.cookies.get("nutrition-session.0");
    clock.advance(3_600_000);
    await browser.get("/settings/keys");
    expect(browser.cookies.get("nutrition-session.0")).not.toBe(before);
    expect((await create()).location).toBe(`${AGAIN}%2Fsettings%2Fkeys`);
  });

  test("accepts a sign-in with a third party, too", async () => {
    await tenMinutesLater();
    const { location } = await create();
    const link = /href="(\/sign-in\/with\/google[^"]*)"/.exec((await browser.get(location)).text)!;
    const start = await browser.get(link[1]!.replaceAll("&amp;", "&"));
    const back = await chooseAtThirdParty(start.location, { email: member.email });
    const filled = await browser.follow(await browser.get(pathOf(back)));
    expect(filled.text).toContain("Nightly");
    expect((await create()).text).toMatch(KEY);
  });
});

test("replacing a key asks for another sign-in, and remembers when the old key ends", async () => {
  await create();
  const list = await browser.get("/settings/keys");
  const path = /\/settings\/keys\/[0-9a-f-]+\/rotate/.exec(list.text)![0];
  await tenMinutesLater();
  const refused = await browser.post(path, { overlap: "604800" });
  expect(refused.location).toBe(AGAIN + encodeURIComponent(path));
  const page = await signInAgain(refused);
  expect(page.text).toContain('<option value="604800" selected>');
  expect((await browser.post(path, { overlap: "604800" })).text).toMatch(KEY);
});

test.each(["json", "csv"])(
  "an export as %s asks for another sign-in, then starts automatically",
  async (format) => {
    await tenMinutesLater();
    const path = `/journal/export.${format}`;
    const refused = await browser.get(path);
    expect(refused.location).toBe(`${AGAIN}%2Fsettings%2Fexport%3Fformat%3D${format}`);
    const page = await signInAgain(refused);
    expect(page.text).toContain(`content="0;url=${path}"`);
    expect((await browser.get(path)).headers.get("content-disposition")).toContain("attachment");
  },
);

test("reading, saving settings and revoking a key need no other sign-in", async () => {
  await create();
  const list = await browser.get("/settings/keys");
  const path = /\/settings\/keys\/[0-9a-f-]+\/revoke/.exec(list.text)![0];
  await tenMinutesLater();
  expect((await browser.get("/journal")).status).toBe(200);
  const saved = await browser.post("/settings/profile", { "goals.calories": "1900" });
  expect(saved.location).toContain("/settings/profile?done=");
  expect((await browser.post(path)).location).toBe("/settings/keys?done=revoked");
});

test("creating and revoking keys in a loop is limited, with a message that says so", async () => {
  for (let count = 0; count < 20; count += 1) {
    const { text } = await create();
    expect(text).toMatch(KEY);
    const list = await browser.get("/settings/keys");
    const path = /\/settings\/keys\/[0-9a-f-]+\/revoke/.exec(list.text)![0];
    if (count > 0) await browser.post(path);
  }
  const refused = await create();
  expect(refused.status).toBe(400);
  expect(visibleText(refused.text)).toContain("At most 20 keys can be created");
  expect(refused.text).toContain('value="Nightly “script”"');
  const list = await browser.get("/settings/keys");
  const rotation = /\/settings\/keys\/[0-9a-f-]+\/rotate/.exec(list.text)![0];
  const replaced = await browser.post(rotation, { overlap: "0" });
  expect(replaced.status).toBe(429);
  expect(visibleText(replaced.text)).toContain("At most 20 keys can be created");
});
