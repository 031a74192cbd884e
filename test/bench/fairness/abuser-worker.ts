// Child process that is the abusive account: raw sockets, so that it costs little itself.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { serveOrders } from "../worker-process.ts";
import type { AbuserOrder, AbuserResult, Message } from "./abuser.ts";
import { AnswerReader } from "./answer-reader.ts";

const HANG_UP_AFTER_MS = 8;
const TRICKLE_MS = 20;
/** After a connection that could not be made, or was closed without an answer. */
const RETRY_MS = 10;

let opened = 0;

/** One connection and what has come back on it. */
class Connection {
  readonly socket: Socket;
  readonly #reader = new AnswerReader();
  readonly #outcomes: string[] = [];
  #isClosed = false;
  #notify = () => {};

  constructor({ host, port, addresses }: AbuserOrder) {
    const localAddress = addresses[opened++ % addresses.length];
    this.socket = connect({ host, port, noDelay: true, ...(localAddress && { localAddress }) });
    this.socket.on("data", (chunk: Buffer) => {
      this.#outcomes.push(...this.#reader.read(chunk).map(String));
      if (this.#outcomes.length > 0) this.#notify();
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.#isClosed = true;
      this.#notify();
    });
  }

  /** The next answer's status, "closed", or undefined when neither came until then. */
  async nextOutcome(untilMs: number): Promise<string | undefined> {
    if (this.#outcomes.length === 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()));
      await promise;
      clearTimeout(timer);
    }
    return this.#outcomes.shift() ?? (this.#isClosed ? "closed" : undefined);
  }
}

/** Makes one request and resolves to how it ended. */
type Attempt = (message: Message, endMs: number) => Promise<string>;

async function run(order: AbuserOrder): Promise<AbuserResult> {
  const outcomes: Record<string, number> = {};
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const endMs = startedMs + order.durationMs;
  const requestsMax = Math.ceil((order.perSecondMax * order.durationMs) / 1_000);
  let requests = 0;
  const loop = async (attempt: Attempt) => {
    while (performance.now() < endMs && requests < requestsMax) {
      const message = order.messages[requests % order.messages.length];
      const dueMs = startedMs + (requests * 1_000) / order.perSecondMax;
      requests += 1;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const outcome = message ? await attempt(message, endMs) : "";
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === "closed") await sleep(RETRY_MS);
    }
  };
  await Promise.all(
    Array.from({ length: order.connections }, () => loop(ATTEMPTS[order.manner](order))),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { requests, outcomes, cpuMicros: user + system };
}

const ATTEMPTS: Record<AbuserOrder["manner"], (order: AbuserOrder) => Attempt> = {
  wait: (order) => {
    let connection: Connection | undefined;
    return async ({ text }, endMs) => {
      connection ??= new Connection(order);
      connection.socket.write(text);
      const outcome = await connection.nextOutcome(endMs);
      if (outcome !== undefined && outcome !== "closed") return outcome;
      connection.socket.destroy();
      connection = undefined;
      return outcome ?? "open";
    };
  },
  "hang up":
    (order) =>
    async ({ text }) => {
      const connection = new Connection(order);
      connection.socket.write(text);
      const outcome = await connection.nextOutcome(performance.now() + HANG_UP_AFTER_MS);
      connection.socket.destroy();
      return outcome ?? "hung up";
    },
  trickle:
    (order) =>
    async ({ text, trickledBytes = 0, trickleMs = TRICKLE_MS }, endMs) => {
      const connection = new Connection(order);
      const wholeLength = text.length - trickledBytes;
      connection.socket.write(text.slice(0, wholeLength));
      let outcome: string | undefined;
      for (let at = wholeLength; outcome === undefined && performance.now() < endMs; at += 1) {
        if (at < text.length) connection.socket.write(text.charAt(at));
        outcome = await connection.nextOutcome(Math.min(performance.now() + trickleMs, endMs));
      }
      connection.socket.destroy();
      return outcome ?? "open";
    },
  idle:
    (order) =>
    async ({ text }, endMs) => {
      const connection = new Connection(order);
      connection.socket.write(text);
      const answered = await connection.nextOutcome(endMs);
      const outcome = answered === "closed" ? answered : await connection.nextOutcome(endMs);
      connection.socket.destroy();
      return outcome ?? "open";
    },
};

serveOrders(run);
