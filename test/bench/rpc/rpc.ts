import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { newId } from "@nutrition/core/ids";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { CarrierTransport } from "@nutrition/rpc/carrier-transport";
import { createClient } from "@nutrition/rpc/client";
import type { UserIdentity } from "@nutrition/rpc/context";
import type { Transport } from "@nutrition/rpc/service-definition";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { BenchOptions } from "../options.ts";
import { median } from "../statistics.ts";

const USERS = 1_000;
/** The carrier may cost at most this share of unary calls at the asked concurrency. */
const SHARE_MAX = 0.4;

interface Measured {
  callsPerSecond: number;
  callerMicros: number;
  calleeMicros: number;
}

/** Calls from process to process: batched on the carrier's stream against a unary call each. */
export async function runRpc(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  const identity = await testIdentity();
  const callee = fork(join(import.meta.dirname, "callee.ts"), {
    env: { ...process.env, TRUSTED_KEYS: JSON.stringify(identity.trustedKeys) },
  });
  const transports: Transport[] = [];
  try {
    const [address] = (await once(callee, "message", { signal: stop })) as [string];
    const issuer = identity.issuer("gateway");
    const unary = new UnaryTransport({ address, issuer });
    const carrier = new CarrierTransport({ address, issuer });
    transports.push(unary, carrier);
    const results: Record<"unary" | "carrier", Measured[]> = { unary: [], carrier: [] };
    for (let round = 0; round <= options.rounds; round += 1) {
      const measured = {
        unary: await measure(unary, callee, options),
        carrier: await measure(carrier, callee, options),
      };
      stop.throwIfAborted();
      // The first round warms up.
      if (round === 0) continue;
      results.unary.push(measured.unary);
      results.carrier.push(measured.carrier);
    }
    return await report(results, options);
  } finally {
    for (const transport of transports) transport.close();
    callee.disconnect();
  }
}

async function measure(
  transport: Transport,
  callee: ChildProcess,
  { seconds, connections }: BenchOptions,
): Promise<Measured> {
  const journal = createClient(JournalService, transport);
  const users = Array.from({ length: USERS }, userWithKey);
  const before = { caller: ownCpuMicros(), callee: await cpuMicrosOf(callee) };
  const startedAtMs = performance.now();
  let calls = 0;
  async function callInTurn(): Promise<void> {
    while (performance.now() - startedAtMs < seconds * 1_000) {
      const user = users[calls % USERS] as UserIdentity;
      calls += 1;
      await journal.getSummary({ date: "2026-01-01" }, { timeoutMs: 10_000, user });
    }
  }
  await Promise.all(Array.from({ length: connections }, callInTurn));
  const elapsedMs = performance.now() - startedAtMs;
  return {
    callsPerSecond: (calls / elapsedMs) * 1_000,
    callerMicros: (ownCpuMicros() - before.caller) / calls,
    calleeMicros: ((await cpuMicrosOf(callee)) - before.callee) / calls,
  };
}

function userWithKey(): UserIdentity {
  const scopes = ["service.read", "nutrition.write"];
  return { accountId: newId(), credentialKind: "api_key", credentialId: newId(), scopes };
}

function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function cpuMicrosOf(callee: ChildProcess): Promise<number> {
  callee.send("cpu");
  const [micros] = (await once(callee, "message")) as [number];
  return micros;
}

async function report(
  results: Record<"unary" | "carrier", Measured[]>,
  options: BenchOptions,
): Promise<boolean> {
  const rows = Object.entries(results).map(([transport, rounds]) => {
    const of = (figure: (round: Measured) => number) => Math.round(median(rounds.map(figure)));
    return {
      transport,
      "calls/s": of((round) => round.callsPerSecond),
      "caller µs": of((round) => round.callerMicros),
      "callee µs": of((round) => round.calleeMicros),
      "sum µs": of((round) => round.callerMicros + round.calleeMicros),
    };
  });
  console.table(rows);
  const [unary, carrier] = rows;
  const share = (carrier?.["sum µs"] ?? 0) / (unary?.["sum µs"] ?? 1);
  console.log(
    `CPU of a call on the carrier: ${share.toFixed(2)} of a unary one; at most ${SHARE_MAX} at 32 connections.`,
  );
  if (options.json) await writeFile(options.json, `${JSON.stringify({ rows, share }, null, 2)}\n`);
  return share <= SHARE_MAX;
}
