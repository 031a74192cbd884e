import { randomBytes, randomUUID } from "node:crypto";

import { expect } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import { hiddenField } from "./forms.ts";
import type { WebFixture } from "./web-fixture.ts";
import { ADMIN_KEY, CALL } from "./web-fixture.ts";

/** A person whom the identity provider knows. */
export interface Member {
  readonly email: string;
  readonly password: string;
}

/** Creates a person at the identity provider, as its administrator, and by default an account here. */
export async function makeMember(
  web: WebFixture,
  { hasPremium = true, hasAccount = true } = {},
): Promise<Member> {
  const member = { email: `${randomUUID()}@example.com`, password: randomBytes(9).toString("hex") };
  const response = await fetch(`${web.provider.issuer}/admin/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY.reveal()}` },
    body: JSON.stringify({ ...member, email_confirm: true }),
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
  if (hasAccount)
    await web.as("admin").auth.createAccount({ email: member.email, hasPremium }, CALL);
  return member;
}

/** The newest mail to the address that contains a link. */
export function mailTo({ provider }: WebFixture, email: string) {
  const mail = provider.inbox.findLast(({ to, link }) => to === email && link !== undefined);
  if (mail?.link === undefined) throw new Error(`No mail was sent to ${email}.`);
  return { ...mail, link: mail.link };
}

/** Waits for the mail with the link to a new password, which the page does not wait for. */
export async function recoveryMailArrives(web: WebFixture, email: string): Promise<void> {
  await expect.poll(() => mailTo(web, email).subject).toBe("Reset your password");
}

/** Opens the link of the newest mail in the browser. */
export async function openRecoveryMail(
  web: WebFixture,
  browser: Browser,
  email: string,
): Promise<Answer> {
  await recoveryMailArrives(web, email);
  const followed = await fetch(mailTo(web, email).link, { redirect: "manual" });
  const { pathname, search } = new URL(followed.headers.get("location")!);
  return browser.get(pathname + search);
}

/** Clicks the button on the page that a link leads to. */
export async function clickThrough(browser: Browser, page: Answer): Promise<Answer> {
  const names = ["type", "token_hash", "state"];
  const fields = Object.fromEntries(names.map((name) => [name, hiddenField(page.text, name)]));
  return browser.post("/oauth/callback", fields);
}

/** Opens the newest mail's link, which leads to the site, and clicks. Returns the form for a password. */
export async function openLink(web: WebFixture, browser: Browser, email: string): Promise<Answer> {
  return clickThrough(browser, await browser.get(pathOf(mailTo(web, email).link)));
}

/** Sends the form for a password after a mail's link. */
export async function choosePassword(
  browser: Browser,
  form: Answer,
  password: string,
): Promise<Answer> {
  return browser.post("/sign-in/password", { link: hiddenField(form.text, "link"), password });
}

/** A browser in which the member has signed in with the password. */
export async function signInMember(web: WebFixture, { email, password }: Member): Promise<Browser> {
  const browser = web.visitor();
  const answer = await browser.post("/sign-in", { email, password });
  if (answer.status !== 303) throw new Error(`The sign-in answered ${answer.status}.`);
  return browser;
}

/** Signs in at the provider's simulated third party. Returns the redirect. */
export async function chooseAtThirdParty(
  url: string,
  fields: Record<string, string>,
): Promise<string> {
  const first = await fetch(url, { redirect: "manual" });
  const standIn = first.headers.get("location") ?? "";
  const flow = new URL(standIn).searchParams.get("flow") ?? "";
  const chosen = await fetch(standIn, {
    method: "POST",
    body: new URLSearchParams({ flow, ...fields }),
    redirect: "manual",
  });
  return chosen.headers.get("location") ?? "";
}

/** Whether somebody is signed in, according to a page. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/settings/connections")).status === 200;
}

/** The part of an address after the origin. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
