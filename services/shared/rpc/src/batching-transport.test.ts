import type { UserIdentity } from "@nutrition/core/user-identity";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import type { CallOptions, Handlers } from "./service-definition.ts";
import { startLimits, testIdentity } from "./testing.ts";

/** Enough calls that some share a frame. */
const USERS = 500;

it.each([
  ["asserted by the gateway", "gateway"],
  ["passed on by the journal", "journal"],
] as const)("never mixes up users %s whose calls share a frame", async (_, caller) => {
  const identity = await testIdentity();
  const handlers: Handlers<typeof LimitsService> = {
    count: async (_request, context) => ({
      policies: [{ name: `${context.caller} for ${context.user?.accountId}` }],
    }),
  };
  const access = { count: { callers: ["gateway", "journal"], user: "required" } } as const;
  await using server = await startLimits(identity, handlers, { access });
  const transport = new BatchingTransport({
    address: server.address,
    issuer: identity.issuer(caller),
  });
  const limits = createClient(LimitsService, transport);

  async function optionsFor(user: UserIdentity): Promise<CallOptions> {
    if (caller === "gateway") return { timeoutMs: 10_000, user };
    return { timeoutMs: 10_000, onBehalfOf: await identity.journalCall(user) };
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

it("tells the caller of a cancelled call when the callee has actually stopped", async () => {
  const identity = await testIdentity();
  const [started, cancelled, finish] = [deferred(), deferred(), deferred()];
  await using server = await startLimits(identity, {
    count: async (_request, { signal }) => {
      signal.addEventListener("abort", () => cancelled.resolve());
      started.resolve();
      await finish.promise;
      return {};
    },
  });
  const issuer = identity.issuer("gateway");
  const transport = new BatchingTransport({ address: server.address, issuer });
  const hangUp = new AbortController();
  let abandoned: Promise<void> | undefined;
  const call = createClient(LimitsService, transport).count(
    {},
    {
      timeoutMs: 10_000,
      signal: hangUp.signal,
      onAbandoned: (ended) => void (abandoned = ended),
    },
  );
  await started.promise;
  hangUp.abort();
  await expect(call).rejects.toMatchObject({ kind: "cancelled" });
  await cancelled.promise;
  const unfinished = new Promise((resolve) => setImmediate(resolve, "unfinished"));
  expect(await Promise.race([abandoned, unfinished])).toBe("unfinished");
  finish.resolve();
  await abandoned;
  transport.close();
});

function deferred(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}

function userNumber(index: number): UserIdentity {
  return {
    accountId: `account-${index}`,
    credentialKind: "api_key",
    credentialId: "key",
    scopes: [],
  };
}
