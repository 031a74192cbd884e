import { isIP } from "node:net";

import * as grpc from "@grpc/grpc-js";

import { CHANNEL_OPTIONS } from "./channel-options.ts";
import { withinTime } from "./deadline.ts";
import type { Endpoint, Resolve } from "./endpoints.ts";
import { resolveTarget } from "./endpoints.ts";
import type { TlsFiles } from "./tls-files.ts";
import { unreachable } from "./unreachable.ts";

const RESOLVE_EVERY_MS = 5_000;
/** When no instance can be reached, the name is resolved again, at most this often. */
const RESOLVE_AGAIN_MS = 1_000;
/**
 * For this long, an instance that is stopping or broke a stream is used only if no other is ready.
 */
const AVOID_MS = 5_000;
const STATE_WAIT_MS = 1_000;
const { IDLE, CONNECTING, READY } = grpc.connectivityState;

/** The connection to one instance of a service. */
export class Connection {
  readonly client: grpc.Client;
  /**
   * Number of calls in progress, including cancelled ones. Ordinary gRPC calls count only until
   * cancelled, because their end is not reported.
   */
  inFlight = 0;
  #avoidUntilMs = 0;

  constructor(endpoint: Endpoint, tls: TlsFiles | undefined) {
    const credentials = tls?.channelCredentials() ?? grpc.credentials.createInsecure();
    // The client checks that the certificate names the address anyway.
    const isNamed = tls && isIP(endpoint.host) === 0;
    const named = isNamed && { "grpc.ssl_target_name_override": endpoint.host };
    this.client = new grpc.Client(endpoint.address, credentials, { ...CHANNEL_OPTIONS, ...named });
  }

  /** Connects if it is not connected. */
  state(): grpc.connectivityState {
    const channel = this.client.getChannel();
    // Asking a connected channel to connect goes through all parts of the channel.
    return channel.getConnectivityState(false) === READY
      ? READY
      : channel.getConnectivityState(true);
  }

  /** Prefers other instances for some seconds. */
  avoid(): void {
    this.#avoidUntilMs = performance.now() + AVOID_MS;
  }

  isPreferredTo(other: Connection, nowMs: number): boolean {
    const isAvoided = nowMs < this.#avoidUntilMs;
    if (isAvoided !== nowMs < other.#avoidUntilMs) return !isAvoided;
    return this.inFlight < other.inFlight;
  }
}

export interface ConnectionsOptions {
  /** See `TransportOptions.address`. */
  address: string;
  tls?: TlsFiles | undefined;
  /** Called when an instance is gone: its last calls may still be answered. */
  onGone?: (connection: Connection) => void;
  /** Finds the instances; tests replace it. */
  resolve?: Resolve;
}

/**
 * A connection to each instance of a service, resolved from the target's name every 5 s, and when no
 * known instance can be reached. When resolution fails, the last result stays in use.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #byAddress = new Map<string, Connection>();
  #all: readonly Connection[] = [];
  /** Place from which the next search begins. */
  #next = 0;
  #resolving: Promise<void> | undefined;
  #resolvedAtMs = -Infinity;
  #changing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** The ready instance with the fewest calls in flight; undefined when none is ready. */
  pick(): Connection | undefined {
    const all = this.#all;
    const nowMs = performance.now();
    let best: Connection | undefined;
    // Equally loaded instances take turns. The search begins after the instance that was picked last, so
    // that none takes the turns of another that is not ready.
    const first = this.#next;
    for (let index = 0; index < all.length; index += 1) {
      const place = (first + index) % all.length;
      const candidate = all[place] as Connection;
      if (candidate.state() !== READY) continue;
      if (best && !candidate.isPreferredTo(best, nowMs)) continue;
      best = candidate;
      this.#next = place + 1;
    }
    return best;
  }

  /** Like `pick`, but waits while an instance may become ready; rejects with a `Failure`. */
  async whenReady(timeoutMs: number, signal: AbortSignal | undefined): Promise<Connection> {
    return await withinTime(this.#waitForReady(), timeoutMs, signal);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const address of [...this.#byAddress.keys()]) this.#drop(address);
    this.#all = [];
  }

  async #waitForReady(): Promise<Connection> {
    if (this.#isClosed) throw unreachable();
    if (this.#all.length === 0) await this.#resolve();
    for (;;) {
      const connection = this.pick();
      if (connection) return connection;
      if (this.#all.some((one) => [IDLE, CONNECTING].includes(one.state()))) {
        await this.#stateChange();
      } else {
        // All instances may have been replaced since the name was resolved.
        if (performance.now() - this.#resolvedAtMs < RESOLVE_AGAIN_MS) throw unreachable();
        await this.#resolve();
      }
    }
  }

  #resolve(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#resolve().catch(() => {}), RESOLVE_EVERY_MS);
    this.#timer.unref();
    this.#resolving ??= this.#update().finally(() => {
      this.#resolving = undefined;
      this.#resolvedAtMs = performance.now();
    });
    return this.#resolving;
  }

  async #update(): Promise<void> {
    const { address: target, tls, resolve = resolveTarget } = this.#options;
    const endpoints = await resolve(target).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (this.#isClosed || endpoints.length === 0) throw unreachable();
    const present = new Set(endpoints.map(({ address }) => address));
    for (const address of [...this.#byAddress.keys()]) {
      if (!present.has(address)) this.#drop(address);
    }
    for (const endpoint of endpoints) {
      if (this.#byAddress.has(endpoint.address)) continue;
      this.#byAddress.set(endpoint.address, new Connection(endpoint, tls));
    }
    this.#all = [...this.#byAddress.values()];
    // Reconnects a connection that broke without calls before the next call needs it.
    for (const connection of this.#all) connection.state();
  }

  #drop(address: string): void {
    const connection = this.#byAddress.get(address);
    if (!connection) return;
    this.#byAddress.delete(address);
    this.#options.onGone?.(connection);
    // Calls in flight are still answered.
    connection.client.close();
  }

  /** Resolves when the state of an instance changes, or after a second. */
  #stateChange(): Promise<void> {
    this.#changing ??= new Promise<void>((resolve) => {
      const deadline = Date.now() + STATE_WAIT_MS;
      for (const connection of this.#all) {
        const channel = connection.client.getChannel();
        channel.watchConnectivityState(connection.state(), deadline, () => resolve());
      }
    }).finally(() => (this.#changing = undefined));
    return this.#changing;
  }
}
