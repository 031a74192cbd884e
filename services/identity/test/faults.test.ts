import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import { Assistant, decide } from "./assistant.ts";
import type { Target } from "./target.ts";
import { signIn, targetOf, testConfig, tokenOf } from "./target.ts";

const clock = new ManualClock(new Date());
let identity: RunningIdentity;
let target: Target;
beforeAll(async () => {
  identity = await startIdentity(testConfig(), { clock, logger: silentLogger });
  target = targetOf(identity);
});
beforeEach(() => identity.faults.reset());
afterAll(() => identity[Symbol.asyncDispose]());

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

async function publishedKids(): Promise<string[]> {
  const response = await fetch(`${target.issuer}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

test("a standby key is published before it signs, and older tokens work until it is withdrawn", async () => {
  const before = await tokenOf(await signIn(target));
  await identity.faults.publishStandbyKey();
  expect(await publishedKids()).toHaveLength(2);
  expect(kidOf(await tokenOf(await signIn(target)))).toBe(kidOf(before));

  await identity.faults.rotateKeys();
  const after = await tokenOf(await signIn(target));
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect(await publishedKids()).toHaveLength(2);
  const keys = createRemoteJWKSet(new URL(`${target.issuer}/.well-known/jwks.json`));
  for (const token of [before, after]) {
    await jwtVerify(token, keys, { issuer: target.issuer, currentDate: clock.now() });
  }

  await identity.faults.withdrawOldKeys();
  expect(await publishedKids()).toEqual([kidOf(after)]);
});

test("a rotation without a standby key signs with a new one immediately", async () => {
  const before = await tokenOf(await signIn(target));
  await identity.faults.rotateKeys();
  const after = await tokenOf(await signIn(target));
  expect(await publishedKids()).toEqual([kidOf(after), kidOf(before)]);
});

test("a slow key set arrives after its delay", async () => {
  identity.faults.keySet = "slow";
  const startedMs = clock.monotonicMs();
  expect(await publishedKids()).not.toHaveLength(0);
  expect(clock.monotonicMs() - startedMs).toBe(identity.faults.keySetDelayMs);
});

test("endpoints set to fail answer 500, and work after a reset", async () => {
  const person = await signIn(target);
  const { faults } = identity;
  faults.keySet = "failing";
  faults.isDiscoveryFailing = true;
  faults.isTokenEndpointFailing = true;
  faults.isGrantsApiFailing = true;
  const requests = () =>
    Promise.all([
      fetch(`${target.issuer}/.well-known/jwks.json`),
      fetch(`${target.issuer}/.well-known/openid-configuration`),
      fetch(`${target.issuer}/oauth/token`, { method: "POST" }),
      fetch(`${target.issuer}/token?grant_type=password`, { method: "POST" }),
    ]);
  expect((await requests()).map(({ status }) => status)).toEqual([500, 500, 500, 500]);
  expect((await person.oauth.listGrants()).error).toMatchObject({ status: 500 });
  faults.reset();
  expect((await requests()).map(({ status }) => status)).toEqual([200, 200, 400, 400]);
  expect((await person.oauth.listGrants()).error).toBeNull();
});

test("refuses an expired code", async () => {
  const person = await signIn(target);
  const assistant = await Assistant.register(target.issuer);
  const { authorizationId, codeVerifier } = await assistant.begin();
  const code = (await decide(person, authorizationId)).searchParams.get("code") ?? "";
  identity.faults.areCodesExpired = true;
  await expect(assistant.exchange(code, codeVerifier)).rejects.toMatchObject({
    code: "invalid_grant",
  });
});
