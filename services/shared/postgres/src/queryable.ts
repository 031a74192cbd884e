import type { Statement } from "./sql.ts";

/** Something that runs statements: a pool, a share of a pool, or a transaction. */
export interface Queryable {
  /** Runs one statement. `Row` is unchecked: each query has a test on a real PostgreSQL. */
  query<Row>(statement: Statement): Promise<Row[]>;
}

/** A running transaction; usable only until the function it was given to returns. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
  /**
   * Runs a statement whose rows are not needed, without waiting: if it fails, so does the commit.
   */
  send(statement: Statement): void;
}

/** Runs single statements and transactions. */
export interface DatabaseAccess extends Queryable {
  /**
   * Runs `work` in one READ COMMITTED transaction: committed when it resolves, rolled back when it
   * rejects or when any of its queries failed, including unawaited ones. `work` makes no network
   * call other than its queries.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
