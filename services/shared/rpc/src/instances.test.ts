import { setImmediate } from "node:timers/promises";

import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterEach, expect, it, vi } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import type { Endpoint } from "./endpoints.ts";
import { resolveTarget } from "./endpoints.ts";
import type { IdentityIssuer } from "./identity.ts";
import type { Handlers } from "./service-definition.ts";
import { startLimits, testIdentity } from "./testing.ts";
import type { TestIdentity } from "./testing.ts";

const OPTIONS = { timeoutMs: 10_000 };

const stack: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of stack.splice(0).toReversed()) await close();
});

interface Instance {
  address: string;
  /** Names of the calls that wait for an answer. */
  waiting: Map<string, () => void>;
  answered: number;
  stop(): Promise<void>;
}

/**
 * An instance that answers with its address, immediately or, for the method `hold`, when released.
 */
async function startInstance(identity: TestIdentity, port = 0): Promise<Instance> {
  const instance = { waiting: new Map<string, () => void>(), answered: 0 };
  const handlers: Handlers<typeof LimitsService> = {
    count: async ({ requestId }) => {
      if (requestId !== "") {
        await new Promise<void>((resolve) => instance.waiting.set(requestId, resolve));
      }
      instance.answered += 1;
      return { policies: [{ name: server.address }] };
    },
  };
  const server = await startLimits(identity, handlers, { port });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= Promise.resolve(server[Symbol.asyncDispose]()));
  stack.push(stop);
  return Object.assign(instance, { address: server.address, stop });
}

function connect(
  identity: TestIdentity,
  options: Partial<{ address: string; instances: Instance[]; beforeToken: () => Promise<void> }>,
) {
  const known = options.instances;
  const resolve = async (): Promise<Endpoint[]> =>
    (known ?? []).map(({ address }) => ({ address, host: "127.0.0.1" }));
  const issuer = identity.issuer("gateway");
  const serviceToken = async (callee: string) => {
    await options.beforeToken?.();
    return issuer.serviceToken(callee);
  };
  const transport = new BatchingTransport({
    address: options.address ?? "limits:4700",
    issuer: Object.assign(Object.create(issuer) as IdentityIssuer, { serviceToken }),
    ...(known ? { resolve } : {}),
  });
  stack.push(async () => transport.close());
  const limits = createClient(LimitsService, transport);
  return async (hold = "", signal?: AbortSignal) => {
    const options = { ...OPTIONS, ...(signal && { signal }) };
    return (await limits.count({ requestId: hold }, options)).policies[0]?.name;
  };
}

it("uses every instance that the address resolves to", async () => {
  const identity = await testIdentity();
  const instances = [await startInstance(identity), await startInstance(identity)];
  const call = connect(identity, { address: instances.map(({ address }) => address).join(",") });
  await vi.waitFor(
    async () => {
      await call();
      expect(instances.every(({ answered }) => answered > 0)).toBe(true);
    },
    { timeout: 10_000 },
  );
});

it("sends a call to the instance with the fewest in flight", async () => {
  const identity = await testIdentity();
  const instances = [await startInstance(identity), await startInstance(identity)];
  const call = connect(identity, { instances });
  await vi.waitFor(
    async () => {
      await call();
      expect(instances.every(({ answered }) => answered > 0)).toBe(true);
    },
    { timeout: 10_000 },
  );
  const held = call("slow");
  await expect.poll(() => instances.some(({ waiting }) => waiting.size > 0)).toBe(true);
  const [busy, idle] = instances[0]!.waiting.size > 0 ? instances : instances.toReversed();
  for (let turn = 0; turn < 10; turn += 1) expect(await call()).toBe(idle!.address);
  busy!.waiting.get("slow")?.();
  expect(await held).toBe(busy!.address);
});

it("gives equally loaded instances equal shares, also while another cannot be reached", async () => {
  const identity = await testIdentity();
  const instances = [await startInstance(identity), await startInstance(identity)];
  const gone = await startInstance(identity);
  await gone.stop();
  const call = connect(identity, { instances: [...instances, gone] });
  await vi.waitFor(
    async () => {
      await call();
      expect(instances.every(({ answered }) => answered > 0)).toBe(true);
    },
    { timeout: 10_000 },
  );
  const before = instances.map(({ answered }) => answered);
  for (let turn = 0; turn < 12; turn += 1) await call();
  expect(instances.map(({ answered }, index) => answered - before[index]!)).toEqual([6, 6]);
});

it("sends no call to an instance still working on a cancelled one while another is idle", async () => {
  const identity = await testIdentity();
  const instances = [await startInstance(identity), await startInstance(identity)];
  const call = connect(identity, { instances });
  await vi.waitFor(
    async () => {
      await call();
      expect(instances.every(({ answered }) => answered > 0)).toBe(true);
    },
    { timeout: 10_000 },
  );
  const caller = new AbortController();
  const held = call("abandoned", caller.signal);
  await expect.poll(() => instances.some(({ waiting }) => waiting.size > 0)).toBe(true);
  const [busy, idle] = instances[0]!.waiting.size > 0 ? instances : instances.toReversed();
  caller.abort();
  await expect(held).rejects.toMatchObject({ kind: "cancelled" });
  for (let turn = 0; turn < 10; turn += 1) expect(await call()).toBe(idle!.address);
  busy!.waiting.get("abandoned")?.();
  await expect.poll(() => call()).toBe(busy!.address);
});

it("finds a new instance within 10 s", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const identity = await testIdentity();
  const instances = [await startInstance(identity)];
  const call = connect(identity, { instances });
  await call();
  const added = await startInstance(identity);
  instances.push(added);
  vi.advanceTimersByTime(10_000);
  await vi.waitFor(async () => expect(await call()).toBe(added.address), { timeout: 5_000 });
});

it("stops using an instance that is gone, and still receives its pending answers", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const identity = await testIdentity();
  const instances = [await startInstance(identity)];
  const call = connect(identity, { instances });
  const [gone] = instances as [Instance];
  const held = call("owed");
  await expect.poll(() => gone.waiting.size).toBe(1);
  const next = await startInstance(identity);
  instances.splice(0, 1, next);
  vi.advanceTimersByTime(10_000);
  await vi.waitFor(async () => expect(await call()).toBe(next.address), { timeout: 5_000 });
  for (let turn = 0; turn < 10; turn += 1) expect(await call()).toBe(next.address);
  gone.waiting.get("owed")?.();
  expect(await held).toBe(gone.address);
});

it("sends a call to another instance if its own is replaced before the call is sent", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const identity = await testIdentity();
  const next = await startInstance(identity);
  const instances = [await startInstance(identity)];
  let tokens = 0;
  // The name resolves to another instance while the stream to the first is being opened.
  const beforeToken = async () => {
    tokens += 1;
    if (tokens > 1) return;
    instances.splice(0, 1, next);
    vi.advanceTimersByTime(5_000);
    await setImmediate();
  };
  const call = connect(identity, { instances, beforeToken });
  expect(await call()).toBe(next.address);
  expect(tokens).toBe(2);
});

it("finds the new instance at once when all known ones are gone", async () => {
  // Too short for the regular resolution.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const identity = await testIdentity();
  const gone = await startInstance(identity);
  const instances = [gone];
  const call = connect(identity, { instances });
  await call();
  await gone.stop();
  await expect(call()).rejects.toMatchObject({ kind: "unavailable" });
  const next = await startInstance(identity);
  instances.splice(0, 1, next);
  vi.advanceTimersByTime(1_000);
  expect(await call()).toBe(next.address);
});

it("fails no call while one of two instances restarts", async () => {
  const identity = await testIdentity();
  const instances = [await startInstance(identity), await startInstance(identity)];
  const call = connect(identity, { instances });
  const [stopping, staying] = instances as [Instance, Instance];
  const callers = new AbortController();
  const calls: Promise<unknown>[] = [];
  const callInTurn = async () => {
    while (!callers.signal.aborted) await call();
  };
  for (let index = 0; index < 4; index += 1) calls.push(callInTurn());
  await expect.poll(() => stopping.answered).toBeGreaterThan(10);
  await stopping.stop();
  const before = staying.answered;
  await expect.poll(() => staying.answered).toBeGreaterThan(before + 10);
  const again = await startInstance(identity, Number(stopping.address.split(":")[1]));
  await vi.waitFor(() => expect(again.answered).toBeGreaterThan(10), { timeout: 15_000 });
  callers.abort();
  await Promise.all(calls);
}, 30_000);

it("keeps known instances while the name cannot be resolved", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const identity = await testIdentity();
  const instances = [await startInstance(identity)];
  const call = connect(identity, { instances });
  const [instance] = instances as [Instance];
  await call();
  instances.splice(0);
  vi.advanceTimersByTime(10_000);
  expect(await call()).toBe(instance.address);
});

it("is unavailable at once when nobody listens or the name resolves to nothing", async () => {
  const identity = await testIdentity();
  const gone = await startInstance(identity);
  await gone.stop();
  const unavailable = { kind: "unavailable", reason: "SERVICE_UNREACHABLE" };
  await expect(connect(identity, { instances: [gone] })()).rejects.toMatchObject(unavailable);
  await expect(connect(identity, { instances: [] })()).rejects.toMatchObject(unavailable);
});

it("reads targets as host:port, as lists and as gRPC names", async () => {
  const addresses = async (target: string) =>
    (await resolveTarget(target)).map(({ address }) => address);
  expect(await addresses("127.0.0.1:1, [::1]:2")).toEqual(["127.0.0.1:1", "[::1]:2"]);
  expect(await addresses("dns:///localhost:4700")).toContain("127.0.0.1:4700");
  await expect(resolveTarget("127.0.0.1")).rejects.toThrow("is not host:port");
});
