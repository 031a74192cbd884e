import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import {
  choosePassword,
  clickThrough,
  isSignedIn,
  makeMember,
  pathOf,
  signInMember,
} from "./members.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

const PASSWORD = "a long new password";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

/** An account created like with `accounts create`, and the path of its invitation. */
async function invited() {
  const email = `${randomUUID()}@example.com`;
  await web.as("admin").auth.createAccount({ email, name: "Ada", hasPremium: true }, CALL);
  return { email, path: pathOf(await web.invite(email)) };
}

async function accept(path: string) {
  const browser = web.visitor();
  const page = await browser.get(path);
  return { browser, page, answer: await clickThrough(browser, page) };
}

test("an invitation lets the person set a password for the account that the operator created", async () => {
  const { email, path } = await invited();
  const { browser, page, answer } = await accept(path);
  expect(visibleText(page.text)).toContain("You are invited");
  expect(visibleText(answer.text)).toContain(`${email} is confirmed`);
  expect(await isSignedIn(browser)).toBe(false);
  const saved = await choosePassword(browser, answer, PASSWORD);
  expect(saved).toMatchObject({ status: 303, location: "/journal" });
  expect(await isSignedIn(browser)).toBe(true);
  const again = await signInMember(web, { email, password: PASSWORD });
  const profile = visibleText((await again.get("/settings/profile")).text);
  expect(profile).toContain("Premium");
  expect(profile).toContain("Ada");
});

test("opening the page does not use up the invitation, accepting it does", async () => {
  const { path } = await invited();
  await web.visitor().get(path);
  expect((await accept(path)).answer.status).toBe(200);
  const late = await accept(path);
  expect(late.answer.status).toBe(400);
  expect(visibleText(late.answer.text)).toContain("have a new link sent");
  expect(await isSignedIn(late.browser)).toBe(false);
});

test("a person who can already sign in is not invited, and only operators can invite", async () => {
  const member = await makeMember(web);
  await expect(web.invite(member.email)).rejects.toMatchObject({ reason: "ALREADY_REGISTERED" });
  await expect(web.invite("new@example.com", "gateway")).rejects.toMatchObject({
    kind: "permission_denied",
  });
});
