import { Database } from "@nutrition/postgres/database";
import type { Transaction } from "@nutrition/postgres/database";
import type { Statement } from "@nutrition/postgres/sql";

/**
 * A moment of a database's work: `before` or `after` a statement, or `begin` or `commit` of a transaction.
 * Identifies a statement by its telemetry name if it has one, otherwise by its text on one line.
 */
export type Moment = string;

/**
 * A database that reports each moment, and continues when the callback resolves; an error fails the
 * work.
 */
export class ObservedDatabase extends Database {
  observe: (moment: Moment) => Promise<void> = async () => {};

  override async runToEnd<Row>(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    return this.#around(nameOf(statement), () => super.runToEnd<Row>(statement, signal));
  }

  override async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    await this.observe("before begin");
    const result = await super.transaction(async (tx) => {
      const done = await work(this.#observed(tx));
      await this.observe("before commit");
      return done;
    });
    await this.observe("after commit");
    return result;
  }

  #observed(tx: Transaction): Transaction {
    const query = (statement: Statement) =>
      this.#around(nameOf(statement), () => tx.query(statement));
    return new Proxy(tx, {
      get(target, key) {
        if (key === "query") return query;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  async #around<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    await this.observe(`before ${name}`);
    const result = await work();
    await this.observe(`after ${name}`);
    return result;
  }
}

function nameOf({ name, text, summary }: Statement): string {
  return name !== undefined && name === summary ? name : text.replaceAll(/\s+/gu, " ").trim();
}

/**
 * An observer that acts once: after the other `moments` have passed in order, at the first moment that starts
 * with the last one.
 */
export function atMoment(
  moments: readonly string[],
  act: (moment: Moment) => Promise<void> | void,
): (moment: Moment) => Promise<void> {
  let passed = 0;
  return async (moment) => {
    if (!moment.startsWith(moments[passed] ?? "\0")) return;
    passed += 1;
    if (passed === moments.length) await act(moment);
  };
}

/** Holds work back at a moment until released. */
export function holdAt(...moments: string[]) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const observe = atMoment(moments, () => {
    reached.resolve();
    return opened.promise;
  });
  return { observe, reached: reached.promise, open: () => opened.resolve() };
}

/** Fails at a moment, once. */
export function failAt(...moments: string[]) {
  return atMoment(moments, (moment) => {
    throw new Error(`The work broke: ${moment}`);
  });
}
