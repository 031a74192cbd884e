import { createHash, randomBytes, randomUUID } from "node:crypto";

import { expect } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL } from "./web-fixture.ts";

/** A person whom the identity provider knows. */
export interface Member {
  readonly email: string;
  readonly password: string;
}

/** Registers a person with the identity provider, and by default creates an account here. */
export async function makeMember(
  web: WebFixture,
  { hasPremium = true, hasAccount = true } = {},
): Promise<Member> {
  const member = { email: `${randomUUID()}@example.com`, password: randomBytes(9).toString("hex") };
  const challenge = createHash("sha256").update("any").digest("base64url");
  const body = { ...member, code_challenge: challenge, code_challenge_method: "s256" };
  await fetch(`${web.provider.issuer}/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await openAtProvider(web, mailTo(web, member.email).link);
  if (hasAccount)
    await web.as("admin").auth.createAccount({ email: member.email, hasPremium }, CALL);
  return member;
}

/** Uses a link outside of the pages, wherever it leads. */
async function openAtProvider({ provider }: WebFixture, link: string): Promise<void> {
  const { searchParams } = new URL(link);
  const [type, tokenHash] = [searchParams.get("type"), searchParams.get("token_hash")];
  if (tokenHash === null) return void (await fetch(link, { redirect: "manual" }));
  await fetch(`${provider.issuer}/verify`, {
    method: "POST",
    body: JSON.stringify({ type, token_hash: tokenHash }),
  });
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
