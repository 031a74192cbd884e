import type { ImportedFoodQueries, ImportedSource } from "../retrieval/imported-source.ts";
import type { ImportedQuery } from "./messages.ts";

type Send = (query: number, asked: ImportedQuery) => void;

/** Queries that a thread has sent to the service, which has the connections to the database. */
export class SentQueries {
  readonly #waiting = new Map<number, (rows: unknown) => void>();
  #sent = 0;

  /** The imported foods for one call, whose queries `send` sends. */
  sourceOf(send: Send, waitMs?: number): ImportedSource {
    const find = async <Rows>(name: keyof ImportedFoodQueries, parameters: unknown[]) =>
      (await this.#send(send, { name, parameters, waitMs })) as Rows | undefined;
    return {
      candidates: async (...asked) => (await find("candidates", asked)) ?? [],
      ofBrands: async (...asked) => (await find("ofBrands", asked)) ?? [],
      brandsAmong: async (...asked) => (await find("brandsAmong", asked)) ?? new Set(),
      ofBarcodes: (...asked) => find("ofBarcodes", asked),
      within: (ms) => this.sourceOf(send, ms),
    };
  }

  /** Continues with what the service found. */
  settle(query: number, rows: unknown): void {
    this.#waiting.get(query)?.(rows);
    this.#waiting.delete(query);
  }

  #send(send: Send, asked: ImportedQuery): Promise<unknown> {
    this.#sent += 1;
    const query = this.#sent;
    const found = new Promise((resolve) => this.#waiting.set(query, resolve));
    send(query, asked);
    return found;
  }
}

/** Answers a query that a thread sent; undefined if it takes longer than the thread waits. */
export async function answerQuery(
  foods: ImportedFoodQueries,
  { name, parameters, waitMs }: ImportedQuery,
): Promise<unknown> {
  const run = foods[name] as (...parameters: readonly unknown[]) => Promise<unknown>;
  const rows = run.apply(foods, [...parameters]);
  if (waitMs === undefined) return rows;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, waitMs, undefined);
  try {
    return await Promise.race([rows, late]);
  } finally {
    clearTimeout(timer);
  }
}
