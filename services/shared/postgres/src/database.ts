import { Failure } from "@nutrition/core/failure";
import pg from "pg";

import type { Statement } from "./sql.ts";
import { typeParsers } from "./type-parsers.ts";

/** Something that runs statements: the pool, or one transaction. */
export interface Queryable {
  /** Runs one statement. `Row` is a claim: each query has a test on a real PostgreSQL. */
  query<Row>(statement: Statement): Promise<Row[]>;
}

/** A running transaction; usable only until the function it was given to returns. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
  /** Runs a statement whose rows nobody needs, without waiting: if it fails, so does the commit. */
  send(statement: Statement): void;
}

export interface DatabaseOptions {
  /** `postgres://` address with the service's own role. */
  url: string;
  /** Schema that unqualified names resolve in; `public` follows it for extensions. */
  schema: string;
  /** Connections at most. */
  maxConnections?: number;
  /** Time a single statement may take, in milliseconds. */
  statementTimeoutMs?: number;
  /**
   * Sends a transaction's statements without waiting for the answers to those before: what is asked
   * for together, and the commit with the last of it, costs one round trip.
   */
  pipelined?: boolean;
  /** Called with errors of idle connections, which nobody awaits. */
  onIdleError?: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * A pool of connections to PostgreSQL. A database that cannot be reached is the failure
 * `unavailable`; other database errors pass through as they are.
 */
export class Database implements Queryable, AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #isPipelined: boolean;

  constructor(options: DatabaseOptions) {
    const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, pipelined = false } = options;
    this.#isPipelined = pipelined;
    this.#pool = new pg.Pool({
      pipeline: pipelined,
      connectionString: options.url,
      max: options.maxConnections ?? 8,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // The server ends a slow statement; this ends the wait for a server that went silent.
      query_timeout: statementTimeoutMs + CONNECT_TIMEOUT_MS,
      keepAlive: true,
      options: `-c search_path=${options.schema},public -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=30000 -c timezone=UTC`,
      types: typeParsers,
    });
    this.#pool.on("error", (error) => options.onIdleError?.(error));
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    try {
      return (await this.#pool.query(toPg(statement))).rows as Row[];
    } catch (error) {
      throw translate(error);
    }
  }

  /**
   * Runs `work` in one READ COMMITTED transaction: committed when it resolves, rolled back when it
   * rejects or when any of its queries failed, also one that it did not wait for. `work` makes no
   * network call other than its queries.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let broken: Error | undefined;
    // A connection that ends between two statements tells nobody else, and would end the process.
    const onError = (error: Error) => (broken = error);
    client.on("error", onError);
    const tx = new ClientTransaction(client, this.#isPipelined);
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      await tx.rollback().catch((failed: Error) => (broken = failed));
      throw translate(error);
    } finally {
      tx.end();
      client.off("error", onError);
      client.release(broken);
    }
  }

  /** Connections that are open and those waiting for one, for metrics. */
  get load(): { open: number; idle: number; waiting: number } {
    return {
      open: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#pool.waitingCount,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

class ClientTransaction implements Transaction {
  readonly isTransaction = true;
  readonly #isPipelined: boolean;
  readonly #begun: Promise<unknown>;
  readonly #answers: Promise<unknown>[] = [];
  #client: pg.PoolClient | undefined;

  constructor(client: pg.PoolClient, isPipelined: boolean) {
    this.#client = client;
    this.#isPipelined = isPipelined;
    this.#begun = this.#run({ text: "begin", values: [] });
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    const answer = this.#run(statement);
    // What follows must not be sent when no transaction has begun.
    await this.#begun;
    return (await answer).rows as Row[];
  }

  send(statement: Statement): void {
    void this.#run(statement);
  }

  /** Resolves when all statements have succeeded and are committed. */
  async commit(): Promise<void> {
    // After a statement that failed, a commit is a rollback.
    void this.#run({ text: "commit", values: [] });
    await Promise.all(this.#answers);
  }

  /** Rejects when the connection can be used no more. */
  async rollback(): Promise<void> {
    await this.#run({ text: "rollback", values: [] });
  }

  end(): void {
    this.#client = undefined;
  }

  #run(statement: Statement): Promise<pg.QueryResult> {
    const client = this.#client;
    if (!client) throw new Error("The transaction has ended.");
    const run = () => client.query(toPg(statement));
    const last = this.#answers.at(-1);
    const answer = this.#isPipelined || !last ? run() : last.then(run, run);
    // Whoever waits for it is told; when nobody does, the commit tells.
    answer.catch(() => undefined);
    this.#answers.push(answer);
    return answer;
  }
}

function toPg(statement: Statement): pg.QueryConfig {
  const { name, text, values } = statement;
  return { ...(name === undefined ? {} : { name }), text, values: values as unknown[] };
}

// Class 08 is a broken connection, 57014 a statement that took too long, 57P01-57P03 a server that
// stops or starts, 53300 too many connections (PostgreSQL documentation, appendix A).
const AWAY = /^(08...|57014|57P0[123]|53300|ECONN.*|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
const AWAY_WITHOUT_CODE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

function translate(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const away = code === undefined ? AWAY_WITHOUT_CODE.test(error.message) : AWAY.test(code);
  if (!away) return error;
  return new Failure("unavailable", "DATABASE_UNAVAILABLE", "Try again in a moment.", {
    cause: error,
    retryAfterMs: 2_000,
  });
}

/** The SQLSTATE of a database error, or undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the constraint that a database error is about, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
