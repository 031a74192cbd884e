import { ManualClock } from "@nutrition/core/clock";
import { expect, test } from "vitest";

import type { AuthClient } from "../clients/auth-client.ts";
import { Authenticator } from "./authenticator.ts";
import { Challenger } from "./challenge.ts";
import { CredentialCache } from "./credential-cache.ts";
import type { Principal } from "../domain/principal.ts";

const principal: Principal = {
  user: { accountId: "a", credentialKind: "connector", credentialId: "c", scopes: [] },
  hasPremiumAccess: true,
};

test("a valid access token is not accepted as an API key", async () => {
  const auth: Pick<AuthClient, "authenticate"> = {
    authenticate: async () => ({ refusal: "invalid" }),
  };
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const authenticator = new Authenticator({
    auth: auth as AuthClient,
    accessTokens: { verify: async () => ({ principal }) },
    challenger: new Challenger("http://localhost:3000"),
    cache: new CredentialCache(clock),
    clock,
  });
  const asToken = { headers: { authorization: "Bearer the.good.token" }, ip: "" };
  const asKey = { headers: { "x-service-api-key": "the.good.token" }, ip: "" };
  expect(await authenticator.authenticate(asToken)).toBe(principal);
  await expect(authenticator.authenticate(asKey)).rejects.toMatchObject({
    code: "invalid_api_key",
  });
});
