import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ManualClock } from "./clock.ts";
import { FairQueue } from "./fair-queue.ts";
import type { FairQueueOptions } from "./fair-queue.ts";
import { TimeBudget } from "./time-budget.ts";

const OPTIONS = { slots: 2, slotsPerKey: 1, waitingMax: 100, waitingPerKeyMax: 50 };

/** A queue whose work ends on command; `started` has the keys of the started work, in order. */
class Observed {
  readonly queue: FairQueue;
  readonly started: string[] = [];
  readonly running: { key: string; end: () => void }[] = [];

  constructor(options: Partial<FairQueueOptions> = {}) {
    this.queue = new FairQueue({ ...OPTIONS, ...options });
  }

  add(key: string, signal?: AbortSignal): Promise<void> {
    const ended = this.queue.run(key, () => this.#work(key), signal);
    ended.catch(() => {});
    return ended;
  }

  async #work(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = { key, end: resolve };
    this.started.push(key);
    this.running.push(work);
    await promise;
    this.running.splice(this.running.indexOf(work), 1);
  }

  async endOne(index = 0): Promise<void> {
    this.running[index % this.running.length]?.end();
    await turnOfTheLoop();
  }

  async endAll(): Promise<void> {
    while (this.running.length > 0) await this.endOne();
  }
}

describe("a fair queue", () => {
  it("gives each waiting key one turn before any key gets a second", async () => {
    const observed = new Observed({ slots: 1 });
    for (let count = 0; count < 20; count += 1) void observed.add("big");
    for (const key of ["a", "b", "a"]) void observed.add(key);
    await observed.endAll();
    expect(observed.started.slice(0, 6)).toEqual(["big", "a", "b", "big", "a", "big"]);
  });

  it("holds a slot until the work has settled, even when its caller cancelled", async () => {
    const observed = new Observed({ slots: 1 });
    const caller = new AbortController();
    const first = observed.add("a", caller.signal);
    void observed.add("b");
    caller.abort();
    await turnOfTheLoop();
    expect(observed.started).toEqual(["a"]);
    await observed.endAll();
    await expect(first).resolves.toBeUndefined();
    expect(observed.started).toEqual(["a", "b"]);
  });

  it("pauses a key that has used up its time, and gives its slot to others meanwhile", async () => {
    let endRest = () => {};
    const clock = new ManualClock("2026-01-01T00:00:00Z");
    clock.sleep = () => new Promise((resolve) => (endRest = resolve));
    const budget = new TimeBudget({ clock, burstMs: 100, share: 0.5, workMaxMs: 1_000 });
    const observed = new Observed({ slots: 1, budget });
    for (const key of ["a", "a", "b"]) void observed.add(key);
    clock.advance(1_000);
    await observed.endAll();
    expect(observed.started).toEqual(["a", "b"]);
    endRest();
    await observed.endAll();
    await turnOfTheLoop();
    expect(observed.started).toEqual(["a", "b", "a"]);
  });

  it("frees the slot of failed work", async () => {
    const { queue } = new Observed({ slots: 1 });
    const failing = queue.run("a", () => {
      throw new Error("at once");
    });
    await expect(failing).rejects.toThrow("at once");
    await expect(queue.run("a", () => Promise.reject(new Error("later")))).rejects.toThrow("later");
    await expect(queue.run("a", async () => "fine")).resolves.toBe("fine");
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it("never starts work that was cancelled before its turn", async () => {
    const observed = new Observed({ slots: 1 });
    void observed.add("a");
    const caller = new AbortController();
    const waiting = observed.add("b", caller.signal);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    await expect(observed.add("b", caller.signal)).rejects.toMatchObject({ kind: "cancelled" });
    await observed.endAll();
    expect(observed.started).toEqual(["a"]);
  });

  it("refuses a key that has too much waiting, and serves others", async () => {
    const observed = new Observed({ slots: 1, waitingPerKeyMax: 2 });
    for (let count = 0; count < 3; count += 1) void observed.add("big");
    await expect(observed.add("big")).rejects.toMatchObject({
      kind: "resource_exhausted",
      retryAfterMs: expect.any(Number),
    });
    const other = observed.add("small");
    await observed.endAll();
    await expect(other).resolves.toBeUndefined();
  });

  it("is unavailable to the key with the most when too much work waits, and to no other", async () => {
    const observed = new Observed({ slots: 1, waitingMax: 3 });
    void observed.add("running");
    const [oldest] = [observed.add("big"), observed.add("big"), observed.add("small")];
    const newcomer = observed.add("new");
    await expect(oldest).rejects.toMatchObject({ kind: "unavailable" });
    await observed.endAll();
    await expect(newcomer).resolves.toBeUndefined();
    expect(observed.started).toEqual(["running", "big", "small", "new"]);
  });
});

type Step = { add: string } | { abort: number } | { end: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c", "d").map((add) => ({ add })) },
  fc.nat(40).map((abort) => ({ abort })),
  { weight: 2, arbitrary: fc.nat(10).map((end) => ({ end })) },
);
const bounds = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  slotsPerKey: fc.integer({ min: 1, max: 3 }),
  waitingMax: fc.integer({ min: 0, max: 12 }),
  waitingPerKeyMax: fc.integer({ min: 0, max: 6 }),
});

/** A naive model of a queue with these bounds, on arrays. */
class Model {
  readonly started: string[] = [];
  readonly #running: string[] = [];
  #waiting: { id: number; key: string }[] = [];
  #turns: string[] = [];
  /** Keys in the order in which their number of waiters changed last. */
  #changed: string[] = [];
  readonly #bounds: FairQueueOptions;

  constructor(bounds: FairQueueOptions) {
    this.#bounds = bounds;
  }

  add(id: number, key: string): void {
    const ofKey = this.#waiting.filter((waiter) => waiter.key === key).length;
    const { slots, waitingMax, waitingPerKeyMax } = this.#bounds;
    const starts = this.#running.length < slots && this.#mayRun(key);
    if (!starts && ofKey >= waitingPerKeyMax) return;
    this.#waiting.push({ id, key });
    this.#note(key);
    if (!starts && this.#waiting.length > waitingMax) this.#refuseOne();
    this.#startAll();
  }

  abort(id: number): void {
    this.#remove((waiter) => waiter.id === id);
    this.#startAll();
  }

  #refuseOne(): void {
    const countOf = (key: string) => this.#waiting.filter((waiter) => waiter.key === key).length;
    const most = Math.max(...this.#waiting.map(({ key }) => countOf(key)));
    const largest = this.#changed.find((key) => countOf(key) === most);
    this.#remove(({ key }) => key === largest);
  }

  /** Removes the first waiter for which `matches` is true. */
  #remove(matches: (waiter: { id: number; key: string }) => boolean): void {
    const index = this.#waiting.findIndex(matches);
    if (index >= 0) this.#note(this.#waiting.splice(index, 1)[0]?.key);
  }

  #note(changed: string | undefined): void {
    if (changed === undefined) return;
    this.#changed = [...this.#changed.filter((key) => key !== changed), changed];
  }

  end(index: number): void {
    this.#running.splice(index % this.#running.length, 1);
    this.#startAll();
  }

  get load() {
    return { running: this.#running.length, waiting: this.#waiting.length };
  }

  #mayRun(key: string): boolean {
    return this.#running.filter((running) => running === key).length < this.#bounds.slotsPerKey;
  }

  #startAll(): void {
    const canStart = new Set(
      this.#waiting.map(({ key }) => key).filter((key) => this.#mayRun(key)),
    );
    this.#turns = this.#turns.filter((key) => canStart.has(key));
    this.#turns.push(...[...canStart].filter((key) => !this.#turns.includes(key)));
    const [key] = this.#turns;
    if (key === undefined || this.#running.length >= this.#bounds.slots) return;
    this.#turns.shift();
    this.#remove((waiter) => waiter.key === key);
    this.#running.push(key);
    this.started.push(key);
    this.#startAll();
  }
}

describe("a fair queue after any sequence of calls", () => {
  it("starts the same work in the same order as a naive model, and is empty at the end", async () => {
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
        const observed = new Observed(bounds);
        const model = new Model(bounds);
        const callers: AbortController[] = [];
        for (const one of steps) {
          if ("add" in one) {
            model.add(callers.length, one.add);
            const caller = new AbortController();
            callers.push(caller);
            void observed.add(one.add, caller.signal);
          } else if ("abort" in one) {
            model.abort(one.abort);
            callers[one.abort]?.abort();
          } else if (observed.running.length > 0) {
            model.end(one.end);
            await observed.endOne(one.end);
          }
          await turnOfTheLoop();
          expect(observed.started).toEqual(model.started);
          expect(observed.queue.load).toEqual(model.load);
        }
        await observed.endAll();
        expect(observed.queue.load).toEqual({ running: 0, waiting: 0 });
      }),
    );
  });

  it("lets every other waiting key start work between two turns of one key", async () => {
    const keys = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), {
      minLength: 2,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(keys, async (keys) => {
        const observed = new Observed({ slots: 1 });
        const blocker = observed.add("first");
        const left = new Map<string, number>();
        for (const key of keys) {
          void observed.add(key);
          left.set(key, (left.get(key) ?? 0) + 1);
        }
        await observed.endAll();
        await blocker;
        const order = observed.started.slice(1);
        while (order.length > 0) {
          const round = order.splice(0, left.size);
          expect(new Set(round)).toEqual(new Set(left.keys()));
          for (const [key, count] of left) {
            if (count === 1) left.delete(key);
            else left.set(key, count - 1);
          }
        }
      }),
    );
  });
});
