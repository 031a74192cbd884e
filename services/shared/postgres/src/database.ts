import { failureOf, unlessAborted } from "@nutrition/core/abort";
import type { Secret } from "@nutrition/core/secret";
import { dbClientConnectionWaitTime } from "@nutrition/telemetry/metrics/standard";
import pg from "pg";

import { Cancellation } from "./cancellation.ts";
import { ClientTransaction, runOn } from "./client-transaction.ts";
import { CONNECT_TIMEOUT_MS, ConnectionTargets } from "./connection-targets.ts";
import type { ConnectionOptions } from "./database-connection.ts";
import { DatabaseConnection } from "./database-connection.ts";
import type { DatabaseHealth } from "./database-health.ts";
import { leavesConnectionUsable, translate } from "./errors.ts";
import { observePool } from "./pool-metrics.ts";
import type { DatabaseAccess, Transaction } from "./queryable.ts";
import type { Statement } from "./sql.ts";
import { typeParsers } from "./type-parsers.ts";

export type { DatabaseAccess, Queryable, Transaction } from "./queryable.ts";

export interface QueryOptions {
  /** Aborts when nobody waits for the rows any longer. */
  signal?: AbortSignal | undefined;
}

export interface DatabaseOptions {
  /** `postgres://` address of one or several hosts, with the service's own role. */
  url: string;
  /** Tried when the server rejects the password of `url`, while the password is being changed. */
  fallbackPassword?: Secret | undefined;
  /** Schema that unqualified names resolve in; `public` follows it for extensions. */
  schema: string;
  /** Name of the pool in metrics; the schema's when a service has one pool. */
  name?: string;
  /** Maximum number of connections. */
  maxConnections?: number;
  /** Statement timeout in milliseconds. */
  statementTimeoutMs?: number;
  /**
   * Pipelines a transaction's statements: statements issued together, and the commit with the last
   * of them, cost one round trip.
   */
  pipelined?: boolean;
  /**
   * Plans each prepared statement once per connection, without looking at its parameters, and through
   * indexes wherever there is one. Otherwise PostgreSQL plans statements with array parameters each
   * time, which for small batches costs more than running them; and a plan made while a table was
   * small would keep scanning all of it as it grows.
   */
  keptPlans?: boolean;
  /** Learns what the connections reveal about the server. */
  health?: DatabaseHealth;
}

const CONNECTIONS = 8;
const KEPT_PLANS = " -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off";
const STATEMENT_TIMEOUT_MS = 10_000;

/** After a failover that no error reveals, connections lead to the old server for at most this time. */
const CONNECTION_LIFETIME_S = 300;

/** Time to wait for PostgreSQL to acknowledge a cancel, in milliseconds. */
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * A pool of connections to PostgreSQL, and one more, opened when needed, to cancel statements from.
 * A caller that waits 3 s for a free connection, or for an unreachable database, gets
 * `unavailable`; other database errors are passed through.
 */
export class Database implements DatabaseAccess, AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #cancelPool: pg.Pool;
  readonly #targets: ConnectionTargets;
  readonly #isPipelined: boolean;
  readonly #silenceMaxMs: number;
  readonly #labels: { "db.client.connection.pool.name": string };
  readonly #observed = new DisposableStack();

  constructor(options: DatabaseOptions) {
    const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, pipelined = false } = options;
    const plans = options.keptPlans ? KEPT_PLANS : "";
    const { name = options.schema, maxConnections = CONNECTIONS } = options;
    this.#isPipelined = pipelined;
    // The server ends a slow statement; this ends the wait for a server that went silent.
    this.#silenceMaxMs = statementTimeoutMs + CONNECT_TIMEOUT_MS;
    this.#labels = { "db.client.connection.pool.name": name };
    const { health } = options;
    this.#targets = new ConnectionTargets(options.url, options.fallbackPassword);
    const connection: pg.PoolConfig & ConnectionOptions = {
      // The pool passes all options to it, which pg's types do not say.
      Client: DatabaseConnection as unknown as new () => pg.ClientBase,
      targets: this.#targets,
      health,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      maxLifetimeSeconds: CONNECTION_LIFETIME_S,
      keepAlive: true,
    };
    this.#pool = new pg.Pool({
      ...connection,
      pipeline: pipelined,
      max: maxConnections,
      options: `-c search_path=${options.schema},public -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=30000${plans} -c timezone=UTC`,
      types: typeParsers,
    });
    this.#cancelPool = new pg.Pool({ ...connection, max: 1, query_timeout: CANCEL_TIMEOUT_MS });
    this.#observed.use(observePool(this, { name, maxConnections }));
    for (const pool of [this.#pool, this.#cancelPool]) {
      pool.on("error", (error) => health?.idleError(error));
    }
  }

  /**
   * Runs one statement. When `signal` aborts, the caller gets `cancelled` at once, and the
   * statement is dropped if it has not begun; see `runToEnd` for one that has.
   */
  query<Row>(statement: Statement, { signal }: QueryOptions = {}): Promise<Row[]> {
    return unlessAborted(this.runToEnd<Row>(statement, signal), signal);
  }

  /**
   * Runs one statement and settles once it has ended and its connection is free again. If `signal`
   * aborts while it runs, it is cancelled in PostgreSQL once it has taken 100 ms: most end before,
   * and a cancel costs more than they do.
   */
  async runToEnd<Row>(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    if (signal?.aborted) throw failureOf(signal);
    const client = await this.#connect();
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on("error", onError);
    const cancellation = signal && new Cancellation(signal, () => this.#cancel(client));
    try {
      if (signal?.aborted) throw failureOf(signal);
      return (await runOn(client, statement, this.#silenceMaxMs)).rows as Row[];
    } catch (error) {
      if (!leavesConnectionUsable(error)) broken = error as Error;
      throw translate(error);
    } finally {
      await cancellation?.end().catch((error: Error) => (broken ??= error));
      client.off("error", onError);
      client.release(broken ?? client.fault);
    }
  }

  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    let broken: Error | undefined;
    // A connection that ends between two statements reports to nobody else, and would end the
    // process.
    const onError = (error: Error) => (broken = error);
    client.on("error", onError);
    const tx = new ClientTransaction(client, {
      isPipelined: this.#isPipelined,
      silenceMaxMs: this.#silenceMaxMs,
    });
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
      client.release(broken ?? client.fault);
    }
  }

  /** How many connections are open and how many callers wait for one, for metrics. */
  get load(): { open: number; idle: number; waiting: number } {
    return {
      open: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#pool.waitingCount,
    };
  }

  /** Disposes of what belongs to the pool when it is closed. */
  untilClosed(resource: Disposable): void {
    this.#observed.use(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#observed[Symbol.dispose]();
    await this.#pool.end();
    await this.#cancelPool.end();
  }

  async #connect(): Promise<PooledConnection> {
    const startedAtMs = performance.now();
    try {
      return (await this.#targets.connect(() => this.#pool.connect())) as PooledConnection;
    } catch (error) {
      throw translate(error);
    } finally {
      const seconds = (performance.now() - startedAtMs) / 1_000;
      dbClientConnectionWaitTime.record(seconds, this.#labels);
    }
  }

  /** Resolves once PostgreSQL has signalled the connection's process. */
  async #cancel({ processID }: DatabaseConnection): Promise<void> {
    const client = await this.#targets.connect(() => this.#cancelPool.connect());
    let broken: Error | undefined;
    try {
      await client.query("select pg_cancel_backend($1)", [processID]);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

type PooledConnection = DatabaseConnection & pg.PoolClient;

/** The SQLSTATE of a database error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The constraint that a database error names; undefined if none. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
