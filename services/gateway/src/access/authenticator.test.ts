import { generateApiKey } from "@nutrition/core/api-key";
import { ManualClock } from "@nutrition/core/clock";
import { expect, test } from "vitest";

import type { AuthClient } from "../clients/auth-client.ts";
import { noIdentityProvider } from "./access-tokens.ts";
import { Authenticator } from "./authenticator.ts";
import type { Authenticated } from "./authenticator.ts";
import { BaseAddress } from "../domain/base-address.ts";
import { Challenger } from "./challenge.ts";
import { CredentialCache } from "./credential-cache.ts";
import type { Principal } from "../domain/principal.ts";

const principal: Principal = {
  user: { accountId: "a", credentialKind: "connector", credentialId: "c", scopes: [] },
  hasPremiumAccess: true,
};

/** An authenticator that knows one key, and the texts it asked for. */
function knowing() {
  const asked: string[] = [];
  const auth = {
    authenticate: async (apiKey: string) => {
      asked.push(apiKey);
      return { principal };
    },
  };
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const authenticator = new Authenticator({
    auth: auth as unknown as AuthClient,
    accessTokens: noIdentityProvider,
    challenger: new Challenger(new BaseAddress("http://localhost:3000")),
    cache: new CredentialCache(clock),
    clock,
  });
  const caller = { headers: { "x-service-api-key": generateApiKey().text }, ip: "" };
  return { asked, clock, authenticator, caller };
}

test("a write uses the answer that its own request has just got", async () => {
  const { asked, clock, authenticator, caller } = knowing();
  const authenticated = await authenticator.authenticate(caller);
  clock.advance(999);
  expect(await authenticator.authenticateNow(caller, authenticated)).toBe(principal);
  expect(asked).toHaveLength(1);
});

test("a write asks again after a second, such as when its body arrives slowly", async () => {
  const { asked, clock, authenticator, caller } = knowing();
  const authenticated = await authenticator.authenticate(caller);
  clock.advance(1_000);
  await authenticator.authenticateNow(caller, authenticated);
  expect(asked).toHaveLength(2);
});

test("a write never uses an answer that an earlier request got", async () => {
  const { asked, authenticator, caller } = knowing();
  await authenticator.authenticate(caller);
  const authenticated = await authenticator.authenticate(caller);
  expect(asked).toHaveLength(1);
  await authenticator.authenticateNow(caller, authenticated);
  expect(asked).toHaveLength(2);
});

test("a write never uses an answer that another request is waiting for", async () => {
  const { asked, authenticator, caller } = knowing();
  const both = [authenticator.authenticate(caller), authenticator.authenticate(caller)];
  const [, authenticated] = await Promise.all(both);
  expect(asked).toHaveLength(1);
  await authenticator.authenticateNow(caller, authenticated as Authenticated);
  expect(asked).toHaveLength(2);
});

test("a valid access token is not accepted as an API key", async () => {
  const auth: Pick<AuthClient, "authenticate"> = {
    authenticate: async () => ({ refusal: "invalid" }),
  };
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const authenticator = new Authenticator({
    auth: auth as AuthClient,
    accessTokens: { verify: async () => ({ principal }) },
    challenger: new Challenger(new BaseAddress("http://localhost:3000")),
    cache: new CredentialCache(clock),
    clock,
  });
  const asToken = { headers: { authorization: "Bearer the.good.token" }, ip: "" };
  const asKey = { headers: { "x-service-api-key": "the.good.token" }, ip: "" };
  expect(await authenticator.authenticate(asToken)).toMatchObject({ principal });
  await expect(authenticator.authenticate(asKey)).rejects.toMatchObject({
    code: "invalid_api_key",
  });
});
