import { silentLogger } from "@nutrition/core/logger";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { expect, it } from "vitest";

import { CarrierTransport } from "./carrier-transport.ts";
import { createClient } from "./client.ts";
import type { UserIdentity } from "./context.ts";
import { bind, startRpcServer } from "./server.ts";
import type { CallOptions } from "./service-definition.ts";
import { testIdentity } from "./testing.ts";

/** More than a stream has numbers for. */
const USERS = 2_500;

it.each([
  ["asserted by the gateway", "gateway"],
  ["passed on by the journal", "journal"],
] as const)("never mixes up users %s, however many a stream has seen", async (_, caller) => {
  const identity = await testIdentity();
  await using server = await startRpcServer({
    host: "127.0.0.1",
    port: 0,
    identity: identity.verifier("limits"),
    logger: silentLogger,
    services: [
      bind(
        LimitsService,
        {
          count: async (_request, context) => ({
            policies: [{ name: `${context.caller} for ${context.user?.accountId}` }],
          }),
        },
        { count: { callers: ["gateway", "journal"], user: "required" } },
      ),
    ],
  });
  const transport = new CarrierTransport({
    address: server.address,
    issuer: identity.issuer(caller),
  });
  const limits = createClient(LimitsService, transport);
  const gateway = identity.issuer("gateway");

  async function optionsFor(user: UserIdentity): Promise<CallOptions> {
    if (caller === "gateway") return { timeoutMs: 10_000, user };
    const onBehalfOf = {
      caller: "gateway",
      user,
      userStatement: await gateway.statement(user),
      signal: new AbortController().signal,
      remainingMs: () => 10_000,
    };
    return { timeoutMs: 10_000, onBehalfOf };
  }

  const seen = await Promise.all(
    Array.from({ length: USERS }, async (_unused, index) => {
      const options = await optionsFor(userNumber(index));
      return (await limits.count({}, options)).policies[0]?.name;
    }),
  );
  transport.close();
  expect(seen).toEqual(seen.map((_name, index) => `${caller} for account-${index}`));
});

function userNumber(index: number): UserIdentity {
  return {
    accountId: `account-${index}`,
    credentialKind: "api_key",
    credentialId: "key",
    scopes: [],
  };
}
