import { runStatement } from "@nutrition/telemetry/tracing/statements";
import pg from "pg";

import type { Transaction } from "./queryable.ts";
import { sql } from "./sql.ts";
import type { Statement } from "./sql.ts";
import { summaryOf } from "./summary.ts";

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

export interface ClientTransactionOptions {
  isPipelined: boolean;
  /** See `runOn`. */
  silenceMaxMs: number;
}

/** A transaction on a connection checked out for it. */
export class ClientTransaction implements Transaction {
  readonly isTransaction = true;
  readonly #options: ClientTransactionOptions;
  readonly #begun: Promise<unknown>;
  readonly #answers: Promise<unknown>[] = [];
  #client: pg.PoolClient | undefined;

  constructor(client: pg.PoolClient, options: ClientTransactionOptions) {
    this.#client = client;
    this.#options = options;
    this.#begun = this.#run(BEGIN);
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    const answer = this.#run(statement);
    // Nothing more may be sent when no transaction has begun.
    await this.#begun;
    return (await answer).rows as Row[];
  }

  send(statement: Statement): void {
    void this.#run(statement);
  }

  /** Resolves when all statements have succeeded and are committed. */
  async commit(): Promise<void> {
    // After a failed statement, a commit is a rollback.
    void this.#run(COMMIT);
    await Promise.all(this.#answers);
  }

  /** Rejects when the connection is no longer usable. */
  async rollback(): Promise<void> {
    const answer = this.#run(ROLLBACK);
    // A statement sent from now on would be its own transaction, and be committed.
    this.end();
    await answer;
  }

  end(): void {
    this.#client = undefined;
  }

  #run(statement: Statement): Promise<pg.QueryResult> {
    const client = this.#client;
    if (!client) throw new Error("The transaction has ended.");
    const { isPipelined, silenceMaxMs } = this.#options;
    const run = () => runOn(client, statement, silenceMaxMs);
    const last = this.#answers.at(-1);
    const answer = isPipelined || !last ? run() : last.then(run, run);
    // The failure reaches callers that await the answer; otherwise the commit reports it.
    answer.catch(() => undefined);
    this.#answers.push(answer);
    return answer;
  }
}

/**
 * Runs a statement on a connection, measured and, in a traced request, in a span. When PostgreSQL is
 * silent for `silenceMaxMs`, the connection is destroyed, and all statements sent on it fail.
 */
export function runOn(
  client: pg.PoolClient,
  statement: Statement,
  silenceMaxMs: number,
): Promise<pg.QueryResult> {
  const { text, summary = summaryOf(text) } = statement;
  return runStatement("postgresql", summary, () => answerOf(client, statement, silenceMaxMs));
}

/**
 * pg's own promises and its `query_timeout` assign a function literal to a property of each query.
 * V8 creates such functions in the old generation, where each of them kept its query and all of its
 * rows until the next full collection (docs/decisions/0044).
 */
function answerOf(
  client: pg.PoolClient,
  { name, text, values }: Statement,
  silenceMaxMs: number,
): Promise<pg.QueryResult> {
  const answer = new Promise<pg.QueryResult>((resolve, reject) => {
    const timer = setTimeout(() => client.connection.stream.destroy(), silenceMaxMs);
    // Given `{ name, text, values }`, pg would copy its property descriptors, which takes ten times as long.
    const query = new pg.Query(text, values as unknown[], (error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result as pg.QueryResult);
    });
    client.query(Object.assign(query, { name }));
  });
  return answer.catch(rejectHere);
}

/** Makes the stack of an error lead to the caller instead of the socket. */
function rejectHere(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}
