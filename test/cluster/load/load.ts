import { setTimeout as sleep } from "node:timers/promises";

import { Pool } from "undici";

/** The gateway's address and host name. */
export interface Target {
  /** Address of the Service, such as `http://10.96.3.4`. */
  readonly url: string;
  readonly host: string;
}

/** A person with a journal. */
export interface Account {
  readonly id: string;
  readonly key: string;
}

const CONNECTIONS = 6;
const TIMEOUT_MS = 15_000;
const PAUSE_MS = 100;
/** Days over which lines are distributed, so that none reaches its limit. */
const DAYS = 60;
const DAY_MS = 86_400_000;
const FAILURES_SHOWN = 10;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Observations of the clients in one phase. */
export interface Seen {
  answered: number;
  /** A description of each request that was not answered with 200. */
  readonly failures: string[];
  /** Ids of the items whose logging was acknowledged. */
  readonly logged: { readonly account: Account; readonly item: string }[];
}

/** Clients on keep-alive connections. Each reads, logs or opens pages continuously. */
export class Load {
  readonly #pool: Pool;
  readonly #target: Target;
  readonly #accounts: readonly Account[];
  #logged = 0;

  constructor(target: Target, accounts: readonly Account[]) {
    this.#target = target;
    this.#accounts = accounts;
    this.#pool = new Pool(target.url, { connections: CONNECTIONS, bodyTimeout: TIMEOUT_MS });
  }

  /** Runs the load while `work` runs; returns the observations. */
  async during(work: () => Promise<unknown>): Promise<Seen> {
    const seen: Seen = { answered: 0, failures: [], logged: [] };
    const stop = new AbortController();
    const clients = this.#accounts.flatMap((account) => [
      this.#repeat(stop.signal, () => this.#read(account, seen)),
      this.#repeat(stop.signal, () => this.#log(account, seen)),
    ]);
    clients.push(this.#repeat(stop.signal, () => this.#lookAtPage(seen)));
    try {
      await work();
    } finally {
      stop.abort();
      await Promise.all(clients);
    }
    return seen;
  }

  /** Ids of the logged items that are in the journals. */
  async itemsOf({ key }: Account): Promise<Set<string>> {
    const from = day(DAYS);
    const path = `/api/v1/food-entries?start_date=${from}&limit=90`;
    const { status, text } = await this.#request("GET", path, { key });
    if (status !== 200) throw new Error(`The journal cannot be read back: ${status} ${text}`);
    const { entries } = JSON.parse(text) as { entries: { items: { id: string }[] }[] };
    return new Set(entries.flatMap(({ items }) => items.map(({ id }) => id)));
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #repeat(stop: AbortSignal, once: () => Promise<void>): Promise<void> {
    while (!stop.aborted) {
      await once();
      await sleep(PAUSE_MS);
    }
  }

  async #read({ key }: Account, seen: Seen): Promise<void> {
    await this.#expect(seen, "GET", "/api/v1/nutrition/summary", { key });
  }

  async #lookAtPage(seen: Seen): Promise<void> {
    await this.#expect(seen, "GET", "/sign-in", {});
  }

  async #log(account: Account, seen: Seen): Promise<void> {
    this.#logged += 1;
    // Tenths of a gram: no line takes more than 5,000 g, and no two calls may be equal.
    const grams = (this.#logged / 10).toFixed(1);
    const args = { food_text: `${grams} g almonds`, date: day(this.#logged % DAYS) };
    const params = { name: "log_food", arguments: args };
    const content = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const text = await this.#expect(seen, "POST", "/mcp", { key: account.key, content });
    if (text === undefined) return;
    const { result } = JSON.parse(text) as { result?: ToolResult };
    const item = result?.structuredContent?.items?.[0]?.id;
    if (item === undefined) fail(seen, `log_food: ${text.slice(0, 300)}`);
    else seen.logged.push({ account, item });
  }

  /** The text of a response with status 200; records anything else as a failure. */
  async #expect(
    seen: Seen,
    method: "GET" | "POST",
    path: string,
    options: RequestOptions,
  ): Promise<string | undefined> {
    const startedAt = performance.now();
    const answer = await this.#request(method, path, options).catch((error: Error) => error);
    if (!(answer instanceof Error) && answer.status === 200) {
      seen.answered += 1;
      return answer.text;
    }
    const problem =
      answer instanceof Error ? String(answer) : `${answer.status} ${answer.text.slice(0, 300)}`;
    fail(seen, `${method} ${path}: ${problem} (${Math.round(performance.now() - startedAt)} ms)`);
    return undefined;
  }

  async #request(
    method: "GET" | "POST",
    path: string,
    { key, content }: RequestOptions,
  ): Promise<Answer> {
    const { statusCode, body } = await this.#pool.request({
      method,
      path,
      headers: {
        host: this.#target.host,
        accept: "application/json, text/event-stream, text/html",
        "mcp-protocol-version": "2025-11-25",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(content && { "content-type": "application/json" }),
      },
      body: content ? JSON.stringify(content) : null,
      headersTimeout: TIMEOUT_MS,
    });
    return { status: statusCode, text: await body.text() };
  }
}

interface RequestOptions {
  readonly key?: string;
  readonly content?: object;
}

interface ToolResult {
  readonly structuredContent?: { readonly items?: readonly { readonly id: string }[] };
}

function fail(seen: Seen, failure: string): void {
  seen.failures.push(`${new Date().toISOString().slice(11, 23)} ${failure}`);
}

/** The date a number of days ago. */
function day(ago: number): string {
  return new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
}

/** The first failures, for a report. */
export function sample(failures: readonly string[]): string {
  const more = failures.length - FAILURES_SHOWN;
  const shown = failures.slice(0, FAILURES_SHOWN);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => `    ${line}`)
    .join("\n");
}
