import type {
  ExplainedLine,
  FoundFood,
  LinesToRead,
  ReadLines,
} from "../operations/food-reader.ts";
import type { ImportedFoodQueries } from "../retrieval/imported-source.ts";

/** What the thread does, by name: the arguments and the result of each kind of call. */
export interface ReaderWork {
  readLines(asked: LinesToRead): ReadLines;
  explainLine(line: string): ExplainedLine;
  searchFoods(query: { readonly text: string; readonly limit: number }): FoundFood[];
}

export type WorkName = keyof ReaderWork;
export type WorkOf<Name extends WorkName = WorkName> = Parameters<ReaderWork[Name]>[0];
export type ResultOf<Name extends WorkName = WorkName> = ReturnType<ReaderWork[Name]>;

/** A query that the thread asks the service for, which has the connections to the database. */
export interface ImportedQuery {
  readonly name: keyof ImportedFoodQueries;
  readonly parameters: readonly unknown[];
  /** Undefined to wait as long as the database takes. */
  readonly waitMs: number | undefined;
}

/** To the thread. Each message belongs to a call, and numbers are never used again. */
export type ToThread =
  | { readonly kind: "call"; readonly call: number; readonly name: WorkName; readonly work: WorkOf }
  | {
      readonly kind: "found";
      readonly call: number;
      readonly query: number;
      /** Undefined if the database did not answer in time. */
      readonly rows: unknown;
    };

/** From the thread. */
export type FromThread =
  | { readonly kind: "ready"; readonly heapBytes: number }
  | {
      readonly kind: "find";
      readonly call: number;
      readonly query: number;
      readonly asked: ImportedQuery;
    }
  | {
      readonly kind: "done";
      readonly call: number;
      readonly result: ResultOf;
      /** Lines that took too much CPU time, or `ALL_LINES`; usually none. */
      readonly costly: readonly number[];
    }
  | { readonly kind: "failed"; readonly call: number; readonly stack: string };

/** Data that the thread starts with. */
export interface ThreadData {
  readonly progress: Int32Array<SharedArrayBuffer>;
  /** How long lines wait for imported foods, in milliseconds; for tests. */
  readonly importedFoodsWaitMs: number | undefined;
}
