import { setTimeout as sleep } from "node:timers/promises";

import type { Installation } from "./installation.ts";

/** A day has at most 200 lines. */
const WRITE_PAUSE_MS = 500;
const READERS = 4;
const TIMEOUT_MS = 10_000;
const PROTOCOL_VERSION = "2025-11-25";

interface ToolAnswer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly items: readonly { readonly id: string }[] };
  };
}
interface Day {
  readonly entries: readonly { readonly items: readonly { readonly id: string }[] }[];
}

/** People who read over REST and log food over MCP until disposed, with the results. */
export class Load implements AsyncDisposable {
  /** Unexpected responses, and requests without a response. */
  readonly failures: string[] = [];
  reads = 0;
  /** Ids of the items that were acknowledged. */
  readonly written: string[] = [];
  /** Used from the next request on. */
  key: string;
  readonly #installation: Installation;
  readonly #stop = new AbortController();
  readonly #work: Promise<unknown>;
  /** Requests in flight. */
  readonly #turns = new Set<Promise<unknown>>();
  #mayGoOn: Promise<void> = Promise.resolve();

  constructor(installation: Installation, key: string) {
    this.#installation = installation;
    this.key = key;
    const readers = Array.from({ length: READERS }, () => this.#repeat(() => this.#read()));
    const writer = this.#repeat((turn) => this.#write(turn), WRITE_PAUSE_MS);
    this.#work = Promise.all([...readers, writer]);
  }

  /** Acknowledged items that cannot be read back. */
  async lost(): Promise<string[]> {
    const response = await this.#send("/api/v1/nutrition/summary");
    const { entries } = (await response.json()) as Day;
    const storedIds = new Set(entries.flatMap(({ items }) => items.map(({ id }) => id)));
    return this.written.filter((id) => !storedIds.has(id));
  }

  /** Runs `work` while no request is in flight. */
  async whilePaused<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#mayGoOn = promise;
    await Promise.all(this.#turns);
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #repeat(work: (turn: number) => Promise<void>, pauseMs = 0): Promise<void> {
    for (let turn = 1; !this.#stop.signal.aborted; turn += 1) {
      await this.#mayGoOn;
      const ended = work(turn).catch((error: unknown) => this.failures.push(String(error)));
      this.#turns.add(ended);
      await ended;
      this.#turns.delete(ended);
      if (pauseMs > 0)
        await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  async #read(): Promise<void> {
    const response = await this.#send("/api/v1/nutrition/summary");
    const text = await response.text();
    if (response.ok) this.reads += 1;
    else this.failures.push(`read: ${response.status} ${text}`);
  }

  async #write(turn: number): Promise<void> {
    const params = { name: "log_food", arguments: { food_text: `${turn} g almonds` } };
    const response = await this.#send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL_VERSION,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: turn, method: "tools/call", params }),
    });
    const text = await response.text();
    const { result } = (response.ok ? JSON.parse(text) : {}) as ToolAnswer;
    if (!result?.structuredContent || result.isError) {
      this.failures.push(`write: ${response.status} ${text}`);
      return;
    }
    this.written.push(...result.structuredContent.items.map(({ id }) => id));
  }

  #send(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#installation.baseUrl + path, {
      ...init,
      headers: { ...(init.headers as object), authorization: `Bearer ${this.key}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
