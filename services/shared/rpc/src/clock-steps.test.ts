import { ManualClock } from "@nutrition/core/clock";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { afterEach, describe, expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import { IdentityIssuer, IdentityVerifier } from "./identity.ts";
import { startLimits, testIdentity } from "./testing.ts";
import { UnaryTransport } from "./unary-transport.ts";

const NOW = "2026-11-28T12:00:00Z";
const MINUTE_MS = 60_000;
const STEPS = [
  ["ahead by 10 min", 10 * MINUTE_MS],
  ["back by 2 min", -2 * MINUTE_MS],
] as const;
const TRANSPORTS = [
  ["batching", BatchingTransport],
  ["unary", UnaryTransport],
] as const;
const USER: UserIdentity = {
  accountId: "0191d0a0-0000-7000-8000-000000000001",
  credentialKind: "api_key",
  credentialId: "key-1",
  scopes: ["service.read"],
};
const ACCESS = { count: { callers: ["gateway", "journal"], user: "optional" } } as const;
const CALL = { timeoutMs: 5_000 };

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of stack.splice(0).toReversed()) await close();
});

/** Two machines; `start` starts an instance of the callee and connects the caller to it. */
async function machines(Class: (typeof TRANSPORTS)[number][1] = BatchingTransport) {
  const identity = await testIdentity();
  const [caller, callee] = [new ManualClock(NOW), new ManualClock(NOW)];
  const issuerOf = (service: "gateway" | "journal") =>
    new IdentityIssuer({ service, privateKey: identity.privateKey(service), clock: caller });
  const issuer = issuerOf("gateway");
  const { trustedKeys } = identity;
  let executed = 0;
  const start = async (by = issuer) => {
    const verifier = new IdentityVerifier({ service: "limits", trustedKeys, clock: callee });
    const count = async () => {
      executed += 1;
      return {};
    };
    const server = await startLimits(
      { ...identity, verifier: () => verifier },
      { count },
      { access: ACCESS },
    );
    stack.push(() => server[Symbol.asyncDispose]());
    const transport = new Class({ address: server.address, issuer: by });
    stack.push(() => transport.close());
    return createClient(LimitsService, transport);
  };
  return { caller, callee, issuer, issuerOf, start, executed: () => executed };
}

describe.each(TRANSPORTS)("over the %s transport", (_, Class) => {
  it.each(STEPS)("no call fails when the clock of both services steps %s", async (_name, ms) => {
    const { caller, callee, start } = await machines(Class);
    const known = await start();
    await known.count({}, CALL);
    for (const clock of [caller, callee]) clock.step(ms);
    await known.count({}, CALL);
    const restarted = await start();
    await restarted.count({}, CALL);
  });

  it("a caller whose token has expired at the callee calls again at once with a new one", async () => {
    const { caller, callee, issuer, start, executed } = await machines(Class);
    await issuer.serviceToken("limits");
    for (const clock of [caller, callee]) clock.advance(29_000);
    callee.step(37_000);
    const limits = await start();
    await limits.count({}, CALL);
    expect(executed()).toBe(1);
  });

  it.each(STEPS)(
    "a call to a service whose clock is %s asks to try again, and is not executed",
    async (_name, ms) => {
      const { callee, start, executed } = await machines(Class);
      callee.step(ms);
      const limits = await start();
      await expect(limits.count({}, CALL)).rejects.toMatchObject({
        kind: "unavailable",
        reason: "SERVICE_UNREACHABLE",
        retryAfterMs: 1_000,
      });
      expect(executed()).toBe(0);
      callee.step(-ms);
      await limits.count({}, CALL);
    },
  );

  it.each(STEPS)(
    "a call for a user whose assertion predates a step %s asks to try again",
    async (_name, ms) => {
      const { caller, callee, issuer, issuerOf, start, executed } = await machines(Class);
      const userAssertion = await issuer.userAssertion(USER, { by: "journal", to: ["limits"] });
      for (const clock of [caller, callee]) clock.step(ms);
      const limits = await start(issuerOf("journal"));
      const onBehalfOf = {
        caller: "gateway",
        user: USER,
        userAssertion,
        traceparent: undefined,
        signal: new AbortController().signal,
        remainingMs: () => 5_000,
      };
      await expect(limits.count({}, { ...CALL, onBehalfOf })).rejects.toMatchObject({
        kind: "unavailable",
        reason: "SERVICE_UNREACHABLE",
      });
      expect(executed()).toBe(0);
      const renewed = await issuer.userAssertion(USER, { by: "journal", to: ["limits"] });
      await limits.count({}, { ...CALL, onBehalfOf: { ...onBehalfOf, userAssertion: renewed } });
    },
  );
});

it("no call of a machine that was suspended for longer than a token lives fails", async () => {
  const { caller, callee, start, executed } = await machines();
  const limits = await start();
  await limits.count({}, CALL);
  // Its own monotonic time stood still, so that it still considers its stream young.
  caller.step(10 * MINUTE_MS);
  callee.advance(10 * MINUTE_MS);
  await Promise.all(Array.from({ length: 200 }, () => limits.count({}, CALL)));
  expect(executed()).toBe(201);
});
