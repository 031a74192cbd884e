import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { LimitsService, SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterEach, describe, expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import type { CallContext } from "./context.ts";
import type { IdentityIssuer } from "./identity.ts";
import type { Handlers } from "./service-definition.ts";
import { startLimits, testIdentity } from "./testing.ts";
import type { TestIdentity } from "./testing.ts";
import { UnaryTransport } from "./unary-transport.ts";

const USER: UserIdentity = {
  accountId: "0191d0a0-0000-7000-8000-000000000001",
  credentialKind: "api_key",
  credentialId: "key-1",
  scopes: ["service.read"],
};
const ACCESS = {
  count: { callers: ["gateway", "journal"], user: "required" },
  commit: { callers: ["journal"], user: "none" },
  unlinkAccount: { callers: ["web", "admin"], user: "session" },
  release: { callers: ["gateway"], user: "none" },
} as const;

const stack: AsyncDisposable[] = [];
afterEach(async () => {
  for (const item of stack.splice(0).toReversed()) await item[Symbol.asyncDispose]();
});

async function serve(
  identity: TestIdentity,
  handlers: Handlers<typeof LimitsService>,
  options: { port?: number; maxInFlight?: number } = {},
) {
  const server = await startLimits(identity, handlers, { access: ACCESS, ...options });
  stack.push(server);
  return server;
}

describe.each([
  ["batching", BatchingTransport],
  ["unary", UnaryTransport],
] as const)("over the %s transport", (_, TransportClass) => {
  function client(address: string, issuer: IdentityIssuer) {
    const transport = new TransportClass({ address, issuer });
    stack.push({ [Symbol.asyncDispose]: async () => transport.close() });
    return createClient(LimitsService, transport);
  }

  it("carries the request, the reply and the verified user", async () => {
    const identity = await testIdentity();
    const seen: CallContext[] = [];
    const { address } = await serve(identity, {
      count: async (request, context) => {
        seen.push(context);
        return { policies: [{ name: request.requestId, remaining: request.cost }] };
      },
    });
    const limits = client(address, identity.issuer("gateway"));
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_unused, index) =>
        limits.count({ requestId: `r${index}`, cost: index }, { timeoutMs: 5_000, user: USER }),
      ),
    );
    expect(replies.map(({ policies }) => [policies[0]?.name, policies[0]?.remaining])).toEqual(
      replies.map((_reply, index) => [`r${index}`, index]),
    );
    expect(seen[0]).toMatchObject({ caller: "gateway", user: USER });
    expect(seen[0]?.remainingMs()).toBeLessThanOrEqual(5_000);
  });

  it("passes on the user of the call being handled, through a forwarding service only", async () => {
    const identity = await testIdentity();
    const seen: CallContext[] = [];
    const { address } = await serve(identity, {
      count: async (_request, context) => {
        seen.push(context);
        return {};
      },
    });
    const onBehalfOf = await identity.journalCall(USER, 3_000);
    await client(address, identity.issuer("journal")).count({}, { timeoutMs: 9_000, onBehalfOf });
    expect(seen[0]).toMatchObject({ caller: "journal", user: USER });
    expect(seen[0]?.remainingMs()).toBeLessThanOrEqual(3_000);
    const analysis = client(address, identity.issuer("analysis"));
    await expect(analysis.count({}, { timeoutMs: 9_000, onBehalfOf })).rejects.toMatchObject({
      kind: "permission_denied",
    });
  });

  it("carries a failure with its reason, facts and delay, and never its cause", async () => {
    const identity = await testIdentity();
    const { address } = await serve(identity, {
      count: async () => {
        throw new Failure("resource_exhausted", "FULL", "Try later.", {
          metadata: { policy: "key-hour" },
          retryAfterMs: 1_500,
          cause: new Error("secret detail"),
        });
      },
      commit: async () => {
        throw new Error("secret detail");
      },
    });
    const call = client(address, identity.issuer("gateway")).count({}, opts());
    await expect(call).rejects.toMatchObject({
      kind: "resource_exhausted",
      reason: "FULL",
      message: "Try later.",
      metadata: { policy: "key-hour" },
      retryAfterMs: 1_500,
    });
    const bug = client(address, identity.issuer("journal")).commit({}, { timeoutMs: 5_000 });
    const failure = await bug.catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "internal" });
    expect(JSON.stringify([failure, String(failure)])).not.toContain("secret detail");
  });

  it("refuses callers, users and signers that the access rule does not allow", async () => {
    const identity = await testIdentity();
    const { address } = await serve(identity, {
      count: async () => ({}),
      commit: async () => ({}),
      unlinkAccount: async () => ({}),
      release: async () => ({}),
    });
    const denied = { kind: "permission_denied" };
    const forged = { kind: "unauthenticated" };
    const timeoutMs = 5_000;
    const as = (service: Parameters<TestIdentity["issuer"]>[0]) =>
      client(address, identity.issuer(service));
    await expect(as("gateway").commit({}, { timeoutMs })).rejects.toMatchObject(denied);
    await expect(as("gateway").count({}, { timeoutMs })).rejects.toMatchObject(denied);
    await expect(as("journal").count({}, opts())).rejects.toMatchObject(denied);
    await expect(as("web").unlinkAccount({}, opts())).rejects.toMatchObject(denied);
    await expect(as("gateway").release({}, opts())).rejects.toMatchObject(denied);
    await as("gateway").release({}, { timeoutMs });
    const session = { ...USER, credentialKind: "session" as const };
    await as("web").unlinkAccount({}, { timeoutMs, user: session });
    await as("admin").unlinkAccount({}, { timeoutMs });
    const stranger = (await testIdentity()).issuer("gateway");
    await expect(client(address, stranger).count({}, opts())).rejects.toMatchObject(forged);
  });

  it("cancels at the deadline and informs the handler", async () => {
    const identity = await testIdentity();
    const aborted = Promise.withResolvers<void>();
    const { address } = await serve(identity, {
      count: async ({ requestId }, { signal }) => {
        if (requestId === "connects") return {};
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted.resolve();
            reject(signal.reason as Error);
          });
        });
      },
    });
    const limits = client(address, identity.issuer("gateway"));
    await limits.count({ requestId: "connects" }, opts());
    const call = limits.count({}, opts(200));
    await expect(call).rejects.toMatchObject({ kind: "deadline_exceeded" });
    await aborted.promise;
  });

  it("informs the handler when the caller cancels", async () => {
    const identity = await testIdentity();
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const { address } = await serve(identity, {
      count: (_request, { signal }) => {
        started.resolve();
        signal.addEventListener("abort", () => aborted.resolve());
        return aborted.promise.then(() => ({}));
      },
    });
    const controller = new AbortController();
    const limits = client(address, identity.issuer("gateway"));
    const call = limits.count({}, { ...opts(), signal: controller.signal });
    call.catch(() => {});
    await started.promise;
    controller.abort();
    await expect(call).rejects.toMatchObject({ kind: "cancelled" });
    await aborted.promise;
  });

  it("answers calls in flight when the server stops, then is unavailable, then recovers", async () => {
    const identity = await testIdentity();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = await serve(identity, {
      count: async () => {
        started.resolve();
        await finish.promise;
        return { policies: [{ name: "first" }] };
      },
    });
    const limits = client(first.address, identity.issuer("gateway"));
    const inFlight = limits.count({}, opts());
    await started.promise;
    const stopping = first[Symbol.asyncDispose]();
    finish.resolve();
    expect((await inFlight).policies[0]?.name).toBe("first");
    await stopping;
    await expect(limits.count({}, opts())).rejects.toMatchObject({ kind: "unavailable" });
    const port = Number(first.address.split(":")[1]);
    await serve(identity, { count: async () => ({ policies: [{ name: "second" }] }) }, { port });
    await expect
      .poll(() => limits.count({}, opts()).then(({ policies }) => policies[0]?.name, String), {
        timeout: 10_000,
      })
      .toBe("second");
  });

  it("refuses calls over the concurrency limit and serves again afterwards", async () => {
    const identity = await testIdentity();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const handlers: Handlers<typeof LimitsService> = {
      count: async () => {
        started.resolve();
        await finish.promise;
        return { policies: [{ name: "key-hour", reset: durationFromMs(1_000) }] };
      },
    };
    const { address } = await serve(identity, handlers, { maxInFlight: 1 });
    const limits = client(address, identity.issuer("gateway"));
    const request = { subjectKind: SubjectKind.API_KEY };
    const admitted = limits.count(request, opts());
    await started.promise;
    await expect(limits.count(request, opts())).rejects.toMatchObject({ reason: "OVERLOADED" });
    finish.resolve();
    await admitted;
    expect((await limits.count(request, opts())).policies).toHaveLength(1);
  });
});

function opts(timeoutMs = 5_000) {
  return { timeoutMs, user: USER };
}
