import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { BatchingTransport } from "@nutrition/rpc/batching-transport";
import { createClient } from "@nutrition/rpc/client";
import type { Transport } from "@nutrition/rpc/service-definition";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { BenchOptions } from "../options.ts";
import { median } from "../statistics.ts";

/** Numbers of users: few enough to be cached by caller and callee, and too many to be cached. */
const KNOWN_USERS = 1_000;
const NEW_USERS = 100_000;
/** Maximum cost of the batching transport as a share of unary calls, at the given concurrency. */
const SHARE_MAX = 0.4;
/** Maximum additional cost of a new user, for caller and callee together. */
const NEW_USER_MICROS_MAX = 10;

const SYSTEMS = ["unary", "batching", "batching, new users"] as const;
type Results = Record<(typeof SYSTEMS)[number], Measured[]>;

interface Measured {
  callsPerSecond: number;
  callerMicros: number;
  calleeMicros: number;
}

/** Calls between processes: batched on one stream, compared with one unary call each. */
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
    const batching = new BatchingTransport({ address, issuer });
    transports.push(unary, batching);
    const knownUsers = Array.from({ length: KNOWN_USERS }, userWithKey);
    const fresh = Array.from({ length: NEW_USERS }, userWithKey);
    const results: Results = { unary: [], batching: [], "batching, new users": [] };
    for (let round = 0; round <= options.rounds; round += 1) {
      const measured = {
        unary: await measure({ transport: unary, callee, users: knownUsers }, options),
        batching: await measure({ transport: batching, callee, users: knownUsers }, options),
        "batching, new users": await measure(
          { transport: batching, callee, users: fresh },
          options,
        ),
      };
      stop.throwIfAborted();
      // The first round is a warm-up.
      if (round === 0) continue;
      for (const name of SYSTEMS) results[name].push(measured[name]);
    }
    return await report(results, options);
  } finally {
    for (const transport of transports) transport.close();
    callee.disconnect();
  }
}

interface System {
  transport: Transport;
  callee: ChildProcess;
  /** The users of the calls, in turn. */
  users: readonly UserIdentity[];
}

async function measure(
  { transport, callee, users }: System,
  { seconds, connections }: BenchOptions,
): Promise<Measured> {
  const journal = createClient(JournalService, transport);
  const before = { caller: ownCpuMicros(), callee: await cpuMicrosOf(callee) };
  const startedAtMs = performance.now();
  let calls = 0;
  async function callInTurn(): Promise<void> {
    while (performance.now() - startedAtMs < seconds * 1_000) {
      const user = users[calls % users.length] as UserIdentity;
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

async function report(results: Results, options: BenchOptions): Promise<boolean> {
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
  const [unary = 1, batching = 0, fresh = 0] = rows.map((row) => row["sum µs"]);
  const share = batching / unary;
  const newUserMicros = fresh - batching;
  console.log(
    `CPU of a batched call: ${share.toFixed(2)} of a unary one; at most ${SHARE_MAX} at 32 connections.`,
  );
  console.log(
    `A user new to the callee: ${newUserMicros} µs more; at most ${NEW_USER_MICROS_MAX}.`,
  );
  const figures = { rows, share, newUserMicros };
  if (options.json) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  return share <= SHARE_MAX && newUserMicros <= NEW_USER_MICROS_MAX;
}
