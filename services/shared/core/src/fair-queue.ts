import { failureOf } from "./abort.ts";
import { Failure } from "./failure.ts";
import { LinkedList } from "./linked-list.ts";
import type { LinkedNode } from "./linked-list.ts";
import { Places } from "./places.ts";
import type { TimeBudget } from "./time-budget.ts";

export interface FairQueueOptions {
  /** Maximum concurrent work. */
  slots: number;
  /** Maximum concurrent work of one key. */
  slotsPerKey: number;
  /** Maximum waiting work of all keys, beyond which the longest waiting of the key with the most is refused. */
  waitingMax: number;
  /** Maximum waiting work of one key. */
  waitingPerKeyMax: number;
  /** Bounds the working time of a key; while it rests, its slots stay reserved for it. */
  budget?: TimeBudget;
}

/** The queued and running work of one key. */
interface Line {
  readonly key: string;
  readonly waiting: LinkedList<() => void>;
  running: number;
  /** Its node in the list of lines that may start work; undefined while it may not. */
  turn: LinkedNode<Line> | undefined;
}

/**
 * Runs work in a bounded number of slots that keys (accounts, networks) take in turn: however much
 * one key has waiting, every other waiting key starts something between two of its turns. Work of
 * one key starts in order of arrival. Every operation takes constant time.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lines = new Map<string, Line>();
  readonly #turns = new LinkedList<Line>();
  readonly #waiting: Places;
  #running = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#waiting = new Places({ max: options.waitingMax });
  }

  /** How much work runs and waits, over all keys. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.taken };
  }

  /**
   * Runs `work` on the key's turn and holds its slot until it settles. Rejects without starting it
   * with `cancelled` or the signal's own failure when `signal` aborts first, with
   * `resource_exhausted` when too much of this key is already waiting, and with `unavailable` when it waits for
   * longest of the key with the most, and too much waits in total. `work` must not wait for another slot of the same queue.
   */
  async run<Result>(
    key: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (signal?.aborted) throw failureOf(signal);
    const line = this.#lineOf(key);
    if (this.#running < this.#options.slots && this.#mayRun(line)) this.#occupy(line);
    else await this.#wait(line, signal);
    const endWork = this.#options.budget?.start(key);
    try {
      return await work();
    } finally {
      this.#vacate(line, endWork?.());
    }
  }

  #lineOf(key: string): Line {
    const existing = this.#lines.get(key);
    if (existing) return existing;
    const line: Line = { key, waiting: new LinkedList(), running: 0, turn: undefined };
    this.#lines.set(key, line);
    return line;
  }

  #mayRun({ running }: Line): boolean {
    return running < this.#options.slotsPerKey;
  }

  #occupy(line: Line): void {
    this.#running += 1;
    line.running += 1;
  }

  #vacate(line: Line, rest: Promise<void> | undefined): void {
    this.#running -= 1;
    if (!rest) return this.#endTurn(line);
    void rest.then(() => this.#endTurn(line));
    this.#startWaiting();
  }

  #endTurn(line: Line): void {
    line.running -= 1;
    this.#settle(line);
    this.#startWaiting();
  }

  #startWaiting(): void {
    while (this.#running < this.#options.slots && this.#turns.size > 0) this.#startNext();
  }

  /** Resolves once the line holds a slot for the caller. */
  #wait(line: Line, signal: AbortSignal | undefined): Promise<void> {
    if (line.waiting.size >= this.#options.waitingPerKeyMax) {
      this.#settle(line);
      return Promise.reject(tooManyAtOnce());
    }
    return new Promise((resolve, reject) => {
      const turn = line.waiting.push(() => {
        signal?.removeEventListener("abort", leave);
        place.leave();
        resolve();
      });
      const giveUp = (failure: Failure) => {
        signal?.removeEventListener("abort", leave);
        line.waiting.remove(turn);
        this.#settle(line);
        reject(failure);
      };
      const leave = () => {
        place.leave();
        if (signal) giveUp(failureOf(signal));
      };
      signal?.addEventListener("abort", leave, { once: true });
      const place = this.#waiting.enter(line.key, () => giveUp(overloaded()));
      this.#settle(line);
    });
  }

  #startNext(): void {
    const line = this.#turns.first as Line;
    const start = line.waiting.shift() as () => void;
    this.#occupy(line);
    // Moves to the end, so that all others have their turn before its next.
    this.#leaveTurns(line);
    this.#settle(line);
    start();
  }

  /** Gives the line a turn if it can use one, removes it if not, and forgets an empty line. */
  #settle(line: Line): void {
    const canStart = line.waiting.size > 0 && this.#mayRun(line);
    if (canStart) line.turn ??= this.#turns.push(line);
    else this.#leaveTurns(line);
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(line.key);
  }

  #leaveTurns(line: Line): void {
    if (line.turn) this.#turns.remove(line.turn);
    line.turn = undefined;
  }
}

function tooManyAtOnce(): Failure {
  const message = "Too many of your requests are waiting. Wait for responses, then try again.";
  return new Failure("resource_exhausted", "TOO_MANY_AT_ONCE", message, { retryAfterMs: 1_000 });
}

function overloaded(): Failure {
  const message = "Too many requests are in progress; try again shortly.";
  return new Failure("unavailable", "OVERLOADED", message, { retryAfterMs: 1_000 });
}
