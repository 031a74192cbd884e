import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { Failure } from "@nutrition/core/failure";
import type { Statement } from "@nutrition/postgres/sql";
import { describe, expect, it } from "vitest";

import { SummaryReader } from "./summary-reader.ts";

/** The accounts of a statement. */
function accountsOf({ values }: Statement): string[] {
  return JSON.parse(`[${String(values[0]).slice(1, -1)}]`) as string[];
}

const DATE = "2026-11-21";

/** Answers each request with its account. */
function answersOf(statement: Statement): { json: string; date: string; timezone: string }[] {
  return accountsOf(statement).map((json) => ({ json, date: DATE, timezone: "UTC" }));
}

/** Answers each request with its account, on command. */
class FakeDatabase {
  /** The accounts of each statement that was started. */
  readonly batches: string[][] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  readonly #ending: (() => void)[] = [];

  async runToEnd<Row>(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    const accounts = accountsOf(statement);
    this.batches.push(accounts);
    this.signals.push(signal);
    await new Promise<void>((resolve) => this.#ending.push(resolve));
    return answersOf(statement) as Row[];
  }

  async endOne(): Promise<void> {
    this.#ending.shift()?.();
    await turnOfTheLoop();
    await turnOfTheLoop();
  }
}

function setUp() {
  const database = new FakeDatabase();
  const reader = new SummaryReader(database);
  const get = (accountId: string, signal?: AbortSignal) => {
    const summary = reader.get({ accountId, date: DATE, now: new Date() }, signal);
    summary.catch(() => {});
    return summary;
  };
  return { database, get };
}

describe("summaries that are read together", () => {
  it("go to their own callers, at most 32 in a statement", async () => {
    const batches: number[] = [];
    const runToEnd = async <Row>(statement: Statement): Promise<Row[]> => {
      const accounts = accountsOf(statement);
      batches.push(accounts.length);
      return answersOf(statement) as Row[];
    };
    const reader = new SummaryReader({ runToEnd });
    const ids = Array.from({ length: 100 }, (_, index) => `account-${index}`);
    const summaries = ids.map((accountId) =>
      reader.get({ accountId, date: DATE, now: new Date() }),
    );
    expect((await Promise.all(summaries)).map(({ json }) => json)).toEqual(ids);
    expect(Math.max(...batches)).toBe(32);
  });

  it("all fail when the database is unavailable, and are read again later", async () => {
    const away = new Failure("unavailable", "DATABASE_UNAVAILABLE", "Try again in a moment.");
    let calls = 0;
    const runToEnd = async <Row>(statement: Statement): Promise<Row[]> => {
      calls += 1;
      if (calls === 1) throw away;
      return answersOf(statement) as Row[];
    };
    const reader = new SummaryReader({ runToEnd });
    const get = async (accountId: string) =>
      (await reader.get({ accountId, date: DATE, now: new Date() })).json;
    const outcomes = await Promise.allSettled([get("a"), get("b")]);
    expect(outcomes).toEqual([away, away].map((reason) => ({ status: "rejected", reason })));
    expect(await Promise.all([get("a"), get("b")])).toEqual(["a", "b"]);
  });

  it("include few of one account, so that another's is in the first batch", async () => {
    const { database, get } = setUp();
    for (let count = 0; count < 30; count += 1) void get("big");
    void get("small");
    await turnOfTheLoop();
    expect(database.batches).toEqual([["big", "big", "big", "big", "small"]]);
  });

  it("wait for the statement that runs, unless they are many", async () => {
    const { database, get } = setUp();
    void get("first");
    await turnOfTheLoop();
    for (let count = 1; count < 8; count += 1) void get(`waiting-${count}`);
    await turnOfTheLoop();
    expect(database.batches).toHaveLength(1);
    void get("waiting-8");
    await turnOfTheLoop();
    expect(database.batches.map(({ length }) => length)).toEqual([1, 8]);
    void get("last");
    await database.endOne();
    await database.endOne();
    await expect.poll(() => database.batches.at(-1)).toEqual(["last"]);
  });

  it("wait for as many as were concurrent before", async () => {
    const { database, get } = setUp();
    void get("a");
    void get("b");
    await turnOfTheLoop();
    await database.endOne();
    void get("a");
    await turnOfTheLoop();
    expect(database.batches).toEqual([["a", "b"]]);
    void get("b");
    await turnOfTheLoop();
    expect(database.batches).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("exclude those cancelled before the statement began", async () => {
    const { database, get } = setUp();
    const caller = new AbortController();
    const dropped = get("a", caller.signal);
    void get("b");
    caller.abort();
    await expect(dropped).rejects.toMatchObject({ kind: "cancelled" });
    await turnOfTheLoop();
    expect(database.batches).toEqual([["b"]]);
  });

  it("continue for one caller when another cancels, who is answered at once", async () => {
    const { database, get } = setUp();
    const caller = new AbortController();
    const [abandoned, awaited] = [get("a", caller.signal), get("b", new AbortController().signal)];
    await turnOfTheLoop();
    caller.abort();
    await expect(abandoned).rejects.toMatchObject({ kind: "cancelled" });
    expect(database.signals[0]?.aborted).toBe(false);
    await database.endOne();
    expect(await awaited).toMatchObject({ json: "b" });
  });

  it("are cancelled once nobody waits for any of them", async () => {
    const { database, get } = setUp();
    const callers = [new AbortController(), new AbortController()];
    for (const { signal } of callers) void get("a", signal);
    await turnOfTheLoop();
    callers[0]?.abort();
    expect(database.signals[0]?.aborted).toBe(false);
    callers[1]?.abort();
    expect(database.signals[0]?.aborted).toBe(true);
  });

  it("hold an account's places until the statement has ended, even after a disconnect", async () => {
    const { database, get } = setUp();
    const caller = new AbortController();
    for (let count = 0; count < 4; count += 1) void get("a", caller.signal);
    await turnOfTheLoop();
    caller.abort();
    void get("a");
    await turnOfTheLoop();
    expect(database.batches).toHaveLength(1);
    await database.endOne();
    await expect.poll(() => database.batches).toEqual([["a", "a", "a", "a"], ["a"]]);
  });
});
