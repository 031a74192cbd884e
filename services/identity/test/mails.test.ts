/** Mails of the development provider over time; `contract-mails.test.ts` has what is true at any time. */
import { ManualClock } from "@nutrition/core/clock";
import { afterEach, expect, test } from "vitest";

import type { IdentityConfig } from "../src/config.ts";
import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import type { Target } from "./target.ts";
import { newAuthClient, targetOf, testConfig } from "./target.ts";

const MINUTE_MS = 60_000;
const PASSWORD = "a new password";

let clock: ManualClock;
let identity: RunningIdentity;
let target: Target;
afterEach(() => identity[Symbol.asyncDispose]());

async function start(config: Partial<IdentityConfig> = {}) {
  clock = new ManualClock("2026-11-28T12:00:00Z");
  identity = await startIdentity(testConfig({ mailLinksTo: "site", ...config }), { clock });
  target = targetOf(identity);
}

const client = () => newAuthClient(target);
const signUp = async (email: string) =>
  (await client().signUp({ email, password: PASSWORD })).error;

async function open(type: string, tokenHash: string): Promise<number> {
  const body = JSON.stringify({ type, token_hash: tokenHash });
  return (await fetch(`${target.issuer}/verify`, { method: "POST", body })).status;
}

test("an address gets the next mail after a minute, and then only the newest link works", async () => {
  await start();
  const email = "new@example.com";
  expect(await signUp(email)).toBeNull();
  clock.advance(MINUTE_MS - 1);
  expect(await signUp(email)).toMatchObject({ code: "over_email_send_rate_limit" });
  clock.advance(1);
  expect(await signUp(email)).toBeNull();
  const links = identity.inbox.map(({ link }) => new URL(link ?? "").searchParams);
  const tokens = links.map((parameters) => parameters.get("token_hash") ?? "");
  expect(await Promise.all(tokens.map((token) => open("signup", token)))).toEqual([403, 200]);
});

test("a confirmation that is sent again with a challenge leads to a code, too", async () => {
  await start({ mailLinksTo: "provider" });
  const email = "again@example.com";
  await signUp(email);
  clock.advance(MINUTE_MS);
  const challenge = { code_challenge: "c".repeat(43), code_challenge_method: "s256" };
  const body = JSON.stringify({ type: "signup", email, ...challenge });
  expect((await fetch(`${target.issuer}/resend`, { method: "POST", body })).status).toBe(200);
  const { headers } = await fetch(identity.inbox[1]?.link ?? "", { redirect: "manual" });
  expect(new URL(headers.get("location") ?? "").searchParams.get("code")).not.toBeNull();
});

test("a sign-up a minute after an invitation ends the invitation", async () => {
  await start();
  const email = "invited@example.com";
  const made = await target.callAsAdmin("POST", "/generate_link", { type: "invite", email });
  const { hashed_token } = (await made.json()) as { hashed_token: string };
  clock.advance(MINUTE_MS);
  expect(await signUp(email)).toBeNull();
  expect(await open("invite", hashed_token)).toBe(403);
});

test("a project sends 30 mails an hour, and a refused sign-up creates nobody", async () => {
  await start();
  for (let count = 0; count < 30; count += 1)
    expect(await signUp(`person-${count}@example.com`)).toBeNull();
  const [refused, other] = ["last@example.com", "person-0@example.com"];
  expect(await signUp(refused)).toMatchObject({ code: "over_email_send_rate_limit" });
  const recovery = await client().resetPasswordForEmail(other);
  expect(recovery.error).toMatchObject({ code: "over_email_send_rate_limit" });
  clock.advance(60 * MINUTE_MS);
  expect(await signUp(refused)).toBeNull();
});

test("the second of two simultaneous sign-ups fails", async () => {
  await start();
  const outcomes = await Promise.all([signUp("twice@example.com"), signUp("twice@example.com")]);
  expect(outcomes.map((error) => error?.status ?? 200).toSorted()).toEqual([200, 500]);
});

test("without confirmation by mail, a sign-up is a session, and a known address is refused", async () => {
  await start({ autoconfirm: true });
  const credentials = { email: "new@example.com", password: PASSWORD };
  const { data } = await client().signUp(credentials);
  expect(data.session?.access_token).toBeTypeOf("string");
  expect((await client().signUp(credentials)).error).toMatchObject({ code: "user_already_exists" });
});

test("a link to the provider itself without a challenge returns with the tokens in the fragment", async () => {
  await start({ mailLinksTo: "provider" });
  const body = JSON.stringify({ email: "plain@example.com", password: PASSWORD });
  await fetch(`${target.issuer}/signup`, { method: "POST", body });
  const [{ link = "" } = {}] = identity.inbox;
  const follow = async () => {
    const { headers } = await fetch(link, { redirect: "manual" });
    return new URL(headers.get("location") ?? "");
  };
  const [first, second] = [await follow(), await follow()];
  expect(first.search).toBe("");
  expect(new URLSearchParams(first.hash.slice(1)).get("access_token")).toBeTypeOf("string");
  expect(second.search).toBe("");
  expect(second.hash).toContain("otp_expired");
});
