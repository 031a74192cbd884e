import * as grpc from "@grpc/grpc-js";
import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { exportJWK, generateKeyPair } from "jose";
import { observe } from "@nutrition/telemetry/testing";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { afterEach, expect, it } from "vitest";

import { encodeCalls } from "./call-frame.ts";
import type { FramedCall } from "./call-frame.ts";
import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import type { CallContext } from "./context.ts";
import { IdentityIssuer, IdentityVerifier } from "./identity.ts";
import { bind, startRpcServer } from "./server.ts";
import type { RpcServerOptions } from "./server.ts";
import type { Handler } from "./service-definition.ts";
import { testIdentity } from "./testing.ts";
import { UnaryTransport } from "./unary-transport.ts";

const USER: UserIdentity = {
  accountId: "0191d0a0-0000-7000-8000-000000000001",
  credentialKind: "api_key",
  credentialId: "key-1",
  scopes: ["service.read"],
};
const COUNT = "/nutrition.limits.v1.LimitsService/Count";
const ACCESS = { count: { callers: ["gateway", "journal"], user: "optional" } } as const;

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of stack.splice(0).toReversed()) await close();
});

async function serve(
  identity: IdentityVerifier,
  count: Handler<typeof LimitsService, "count">,
  options: Partial<RpcServerOptions> = {},
): Promise<string> {
  const services = [bind(LimitsService, { count }, ACCESS)];
  const address = { host: "127.0.0.1", port: 0 };
  const server = await startRpcServer({
    ...address,
    identity,
    logger: silentLogger,
    services,
    ...options,
  });
  stack.push(() => server[Symbol.asyncDispose]());
  return server.address;
}

function connect(address: string, issuer: IdentityIssuer) {
  const transport = new BatchingTransport({ address, issuer });
  stack.push(() => transport.close());
  return createClient(LimitsService, transport);
}

/** A peer that speaks the batching protocol but breaks its rules. */
function openStream(address: string, proof: string) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  stack.push(() => client.close());
  const metadata = new grpc.Metadata();
  metadata.set("x-caller-proof", proof);
  const path = "/nutrition.rpc.v1.CarrierService/Exchange";
  const asIs = (bytes: Buffer) => bytes;
  const stream = client.makeBidiStreamRequest<Buffer, Buffer>(path, asIs, asIs, metadata);
  const ended = new Promise<grpc.StatusObject>((resolve) => stream.on("status", resolve));
  stream.on("error", () => {});
  stack.push(() => stream.cancel());
  return { stream, ended };
}

function framed(call: Partial<FramedCall>): Buffer {
  const nothing = { userAssertion: "", onwardAssertion: "", traceparent: "", user: undefined };
  const request = new Uint8Array();
  const one = { ...nothing, id: 1, method: COUNT, request, timeoutMs: 60_000, ...call };
  return Buffer.from(encodeCalls({ calls: [one], cancelled: [] }));
}

it("a callee cannot use a caller's token to call another service as that caller", async () => {
  const identity = await testIdentity();
  const presentedTokens: string[] = [];
  class Recording extends IdentityVerifier {
    override verifyServiceToken(token: string) {
      presentedTokens.push(token);
      return super.verifyServiceToken(token);
    }
  }
  const { trustedKeys } = identity;
  const limits = await serve(new Recording({ service: "limits", trustedKeys }), async () => ({}));
  await connect(limits, identity.issuer("gateway")).count({}, { timeoutMs: 5_000, user: USER });
  expect(presentedTokens).toHaveLength(1);
  const called: unknown[] = [];
  const journal = await serve(identity.verifier("journal"), async () => {
    called.push("count");
    return {};
  });
  const { stream, ended } = openStream(journal, presentedTokens[0] ?? "");
  stream.resume();
  stream.write(framed({}));
  expect((await ended).code).toBe(grpc.status.UNAUTHENTICATED);
  expect(called).toEqual([]);
});

it("reads nothing of a stream before its caller is authenticated", async () => {
  const identity = await testIdentity();
  const stranger = (await testIdentity()).issuer("gateway");
  const address = await serve(identity.verifier("limits"), async () => ({}));
  for (const proof of ["", "a.b.c", await stranger.serviceToken("limits")]) {
    const { stream, ended } = openStream(address, proof);
    stream.resume();
    // Not a frame: reading it would end the stream with another status.
    stream.write(Buffer.alloc(1_000, 0xff));
    expect((await ended).code).toBe(grpc.status.UNAUTHENTICATED);
  }
});

it("the journal cannot name a user whose assertion it does not have", async () => {
  const identity = await testIdentity();
  const address = await serve(identity.verifier("limits"), async () => ({}));
  const journal = connect(address, identity.issuer("journal"));
  await expect(journal.count({}, { timeoutMs: 5_000, user: USER })).rejects.toMatchObject({
    kind: "permission_denied",
  });
  const forwarding = { by: "journal", to: ["limits"] };
  const assertion = await identity.issuer("journal").userAssertion(USER, forwarding);
  const call = await identity.journalCall(USER);
  const invented = { ...call, userAssertion: assertion };
  await expect(journal.count({}, { timeoutMs: 5_000, onBehalfOf: invented })).rejects.toMatchObject(
    { kind: "unauthenticated" },
  );
  const lost = { ...call, userAssertion: undefined };
  await expect(journal.count({}, { timeoutMs: 5_000, onBehalfOf: lost })).rejects.toThrow(
    "no assertion",
  );
});

it("a stream with an expired token accepts no calls", async () => {
  const identity = await testIdentity();
  const clock = new ManualClock(new Date());
  const { trustedKeys } = identity;
  const verifier = new IdentityVerifier({ service: "limits", trustedKeys, clock });
  const limits = connect(await serve(verifier, async () => ({})), identity.issuer("gateway"));
  await limits.count({}, { timeoutMs: 5_000 });
  clock.advance(66_000);
  await expect(limits.count({}, { timeoutMs: 5_000 })).rejects.toMatchObject({
    reason: "SERVICE_UNREACHABLE",
  });
});

it("keys are replaced in three steps without a failed call", async () => {
  const identity = await testIdentity();
  const old = identity.privateKey("gateway");
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const kid = "gateway-2";
  const next = { ...(await exportJWK(pair.privateKey)), kid };
  const trusted = { ...(await exportJWK(pair.publicKey)), kid, service: "gateway" };
  const { keys } = identity.trustedKeys;
  const both = [...keys, trusted];
  const onlyNext = both.filter((key) => key.kid !== "gateway");
  const steps = [
    { key: old, trustedBefore: keys, trustedAfter: both },
    { key: next, trustedBefore: both, trustedAfter: both },
    { key: next, trustedBefore: both, trustedAfter: onlyNext },
  ];
  for (const { key, trustedBefore, trustedAfter } of steps) {
    // While a step is rolled out, old and new instances run concurrently.
    const issuer = new IdentityIssuer({ service: "gateway", privateKey: key });
    for (const keysOfInstance of [trustedBefore, trustedAfter]) {
      const trustedKeys = { keys: keysOfInstance };
      const verifier = new IdentityVerifier({ service: "limits", trustedKeys });
      const limits = connect(await serve(verifier, async () => ({})), issuer);
      await expect(limits.count({}, { timeoutMs: 5_000, user: USER })).resolves.toBeDefined();
    }
  }
});

/** Two of the three requests are traced, each separately. */
function traceparentOf(index: number): string | undefined {
  const id = `${index}`.padStart(2, "0").repeat(16);
  return index % 3 === 0 ? undefined : `00-${id}-${"1".repeat(16)}-01`;
}

it.each([
  ["batching", BatchingTransport],
  ["unary", UnaryTransport],
] as const)(
  "the %s transport keeps each call's trace context with its call",
  async (_name, Class) => {
    const identity = await testIdentity();
    const seen = new Map<string, CallContext["traceparent"]>();
    const address = await serve(identity.verifier("limits"), async ({ requestId }, context) => {
      seen.set(requestId, context.traceparent);
      return {};
    });
    await using _ = await observe();
    const issuer = identity.issuer("gateway");
    const transport = new Class({ address, issuer });
    stack.push(() => transport.close());
    const limits = createClient(LimitsService, transport);
    await Promise.all(
      Array.from({ length: 30 }, (_unused, index) => {
        const request = { method: "GET", requestClass: "other", isTrusted: true } as const;
        const edge = new EdgeRequest({ ...request, traceparent: traceparentOf(index) });
        return edge.run(() => limits.count({ requestId: `${index}` }, { timeoutMs: 5_000 }));
      }),
    );
    for (let index = 0; index < 30; index += 1) {
      const traceId = seen.get(`${index}`)?.split("-")[1];
      expect(traceId).toBe(traceparentOf(index)?.split("-")[1]);
    }
  },
);

it("a caller that reads no replies cannot send more calls", async () => {
  const identity = await testIdentity();
  let answered = 0;
  const name = "x".repeat(100_000);
  const address = await serve(identity.verifier("limits"), async () => {
    answered += 1;
    return { policies: [{ name }] };
  });
  const { stream } = openStream(address, await identity.issuer("gateway").serviceToken("limits"));
  const frame = framed({});
  // Many times the calls that fit into the stream before its first reply.
  const calls = 10_000;
  for (let sent = 0; sent < calls; sent += 1) stream.write(frame);
  // Once nobody reads, the count stops changing.
  let before = -1;
  await expect
    .poll(
      () => {
        const isAtRest = answered > 0 && answered === before;
        before = answered;
        return isAtRest;
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBe(true);
  expect(answered).toBeLessThan(calls / 2);
});

it("a call cancelled before it was sent never reaches the callee", async () => {
  const identity = await testIdentity();
  const seen: string[] = [];
  const address = await serve(identity.verifier("limits"), async ({ requestId }) => {
    seen.push(requestId);
    return {};
  });
  const limits = connect(address, identity.issuer("gateway"));
  await limits.count({ requestId: "first" }, { timeoutMs: 5_000 });
  const giveUp = new AbortController();
  const dropped = limits.count(
    { requestId: "dropped" },
    { timeoutMs: 5_000, signal: giveUp.signal },
  );
  const kept = limits.count({ requestId: "kept" }, { timeoutMs: 5_000 });
  giveUp.abort();
  await expect(dropped).rejects.toMatchObject({ kind: "cancelled" });
  await kept;
  expect(seen).toEqual(["first", "kept"]);
});
