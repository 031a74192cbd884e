import { ManualClock } from "@nutrition/core/clock";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import { Assistant, decide } from "./assistant.ts";
import type { Target } from "./target.ts";
import { signIn, targetOf, testConfig, tokenOf, USERS } from "./target.ts";

const clock = new ManualClock(new Date());
let identity: RunningIdentity;
let target: Target;
beforeAll(async () => {
  identity = await startIdentity(testConfig({ accessTokenSeconds: 600 }), { clock });
  target = targetOf(identity);
});
afterAll(() => identity[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;

async function connected() {
  const assistant = await Assistant.register(target.issuer);
  const { refresh_token = "" } = await assistant.connect(await signIn(target));
  return { assistant, token: refresh_token };
}

test("a refresh token whose response was lost can be used again, with the same successor", async () => {
  const { assistant, token } = await connected();
  const first = await assistant.refresh(token);
  const again = await assistant.refresh(token);
  expect(again.refresh_token).toBe(first.refresh_token);
});

test("reusing an older refresh token works for 10 s, and then ends the session", async () => {
  const { assistant, token } = await connected();
  const second = (await assistant.refresh(token)).refresh_token ?? "";
  const third = (await assistant.refresh(second)).refresh_token ?? "";
  clock.advance(10_000);
  expect((await assistant.refresh(token)).refresh_token).toBe(third);
  clock.advance(1);
  await expect(assistant.refresh(token)).rejects.toThrow("refresh_token_already_used");
  await expect(assistant.refresh(third)).rejects.toThrow("refresh_token_not_found");
});

test("a refresh token works only for its own client", async () => {
  const { token } = await connected();
  const other = await Assistant.register(target.issuer);
  await expect(other.refresh(token)).rejects.toMatchObject({ code: "invalid_client" });
});

test("a request without a decision expires after 10 minutes", async () => {
  const person = await signIn(target);
  const { authorizationId } = await (await Assistant.register(target.issuer)).begin();
  clock.advance(10 * MINUTE_MS);
  const { error } = await (await signIn(target)).oauth.getAuthorizationDetails(authorizationId);
  expect(error).toMatchObject({ status: 404, code: "oauth_authorization_not_found" });
  expect(await tokenOf(person)).not.toBe("");
});

test("a request waits for the same 10 minutes when the clock is stepped meanwhile", async () => {
  const found = async (id: string) => {
    const { error } = await (await signIn(target)).oauth.getAuthorizationDetails(id);
    return error === null;
  };
  for (const step of [10 * MINUTE_MS, -2 * MINUTE_MS]) {
    const { authorizationId } = await (await Assistant.register(target.issuer)).begin();
    clock.step(step);
    clock.advance(10 * MINUTE_MS - 1);
    expect(await found(authorizationId)).toBe(true);
    const { authorizationId: second } = await (await Assistant.register(target.issuer)).begin();
    clock.step(step);
    clock.advance(10 * MINUTE_MS);
    expect(await found(second)).toBe(false);
  }
});

test("an access token expires after its lifetime", async () => {
  const token = await tokenOf(await signIn(target));
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${target.issuer}/user`, { headers })).status;
  };
  expect(await status()).toBe(200);
  clock.advance(10 * MINUTE_MS);
  expect(await status()).toBe(403);
});

test("a request belongs to the first person who reads it", async () => {
  const [, sam] = USERS;
  const assistant = await Assistant.register(target.issuer);
  const { authorizationId } = await assistant.begin();
  await (await signIn(target)).oauth.getAuthorizationDetails(authorizationId);
  const stranger = await signIn({ ...target, email: sam?.email ?? "" });
  await expect(decide(stranger, authorizationId)).rejects.toMatchObject({
    status: 404,
    code: "oauth_authorization_not_found",
  });
});
