import { runStatement } from "@nutrition/telemetry/tracing/statements";
import type pg from "pg";

import type { Transaction } from "./queryable.ts";
import { sql } from "./sql.ts";
import type { Statement } from "./sql.ts";
import { summaryOf } from "./summary.ts";

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

/** A transaction on a connection checked out for it. */
export class ClientTransaction implements Transaction {
  readonly isTransaction = true;
  readonly #isPipelined: boolean;
  readonly #begun: Promise<unknown>;
  readonly #answers: Promise<unknown>[] = [];
  #client: pg.PoolClient | undefined;

  constructor(client: pg.PoolClient, isPipelined: boolean) {
    this.#client = client;
    this.#isPipelined = isPipelined;
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
    const run = () => runOn(client, statement);
    const last = this.#answers.at(-1);
    const answer = this.#isPipelined || !last ? run() : last.then(run, run);
    // The failure reaches callers that await the answer; otherwise the commit reports it.
    answer.catch(() => undefined);
    this.#answers.push(answer);
    return answer;
  }
}

/** Runs a statement on a connection, measured and, in a traced request, in a span. */
export function runOn(client: pg.PoolClient, statement: Statement): Promise<pg.QueryResult> {
  const { name, text, values, summary = summaryOf(text) } = statement;
  const query = { ...(name === undefined ? {} : { name }), text, values: values as unknown[] };
  return runStatement("postgresql", summary, () => client.query(query));
}
