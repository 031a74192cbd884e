import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import { silentLogger as logger } from "@nutrition/core/logger";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OPERATOR } from "@nutrition/rpc/access";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { testIdentity } from "@nutrition/rpc/testing";
import { expect, it } from "vitest";

import { untilReady } from "../src/readiness.ts";
import type { Wiring } from "../src/wiring.ts";

const identity = await testIdentity();

/** Waits for a gateway that tells these services, call by call, the last answer repeated. */
async function waitFor(
  signal: AbortSignal,
  ...answers: (() => Promise<Record<string, boolean>>)[]
) {
  let asked = 0;
  const inspect = async () => {
    const answer = await answers[Math.min(asked++, answers.length - 1)]?.();
    const backends = Object.entries(answer ?? {});
    return { backends: backends.map(([name, serving]) => ({ name, serving })) };
  };
  const access = { inspect: { callers: [OPERATOR], user: "none" } } as const;
  const services = [bind(OperationsService, { inspect }, access)];
  const address = { host: "127.0.0.1", port: 0 };
  const verifier = identity.verifier("gateway");
  await using operator = await startRpcServer({ ...address, logger, services, identity: verifier });
  await using listener = createServer();
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const wiring = {
    config: { host: "127.0.0.1" },
    ports: { gateway: (listener.address() as AddressInfo).port },
    operatorPorts: { gateway: Number(operator.address.split(":").at(-1)) },
    secrets: { identityKeys: { [OPERATOR]: identity.privateKey("admin") } },
  };
  await untilReady(wiring as unknown as Wiring, ["gateway"], signal);
  return asked;
}

it("waits until the gateway reaches every service, and asks again when it cannot be asked", async () => {
  const failing = () => Promise.reject(new Error("still starting"));
  const partly = async () => ({ auth: true, journal: false });
  const serving = async () => ({ auth: true, journal: true });
  expect(await waitFor(new AbortController().signal, failing, partly, serving)).toBe(3);
});

it("stops when told to, even while the gateway does not answer", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  const silent = () => {
    stop.abort(reason);
    return new Promise<never>(() => {});
  };
  await expect(waitFor(stop.signal, silent)).rejects.toBe(reason);
});
