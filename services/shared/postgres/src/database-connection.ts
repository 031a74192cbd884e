import type { DatabaseError } from "pg";
import pg from "pg";

import type { ConnectionTarget } from "./connection-targets.ts";
import { ConnectionTargets } from "./connection-targets.ts";
import type { DatabaseHealth } from "./database-health.ts";
import { conditionOf, isUnavailable, leavesConnectionUsable, unavailable } from "./errors.ts";

export interface ConnectionOptions extends pg.ClientConfig {
  targets: ConnectionTargets;
  /** Learns what each connection reveals about the server. */
  health?: DatabaseHealth | undefined;
}

/**
 * A connection to a server that accepts writes. Servers say whether they do when a connection
 * begins, and when it changes (PostgreSQL 14 and later), so recognising a standby costs no query.
 */
export class DatabaseConnection extends pg.Client {
  /** pg sets the id of the server's process; its types do not have it. */
  declare readonly processID: number;
  readonly #targets: ConnectionTargets;
  readonly #target: ConnectionTarget;
  readonly #health: DatabaseHealth | undefined;
  readonly #reported = new Map<string, string>();
  /** Why it must not be used again, though it may still be open. */
  fault: Error | undefined;

  constructor(options: ConnectionOptions) {
    const target = options.targets.current;
    super({ ...options, connectionString: target.url });
    this.#targets = options.targets;
    this.#target = target;
    this.#health = options.health;
    this.connection.on("parameterStatus", this.#onParameter);
    this.connection.on("errorMessage", this.#onError);
  }

  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | void {
    if (!callback) return this.#connect();
    // The listeners of pg's pool must be there before anything else arrives, so no promise here.
    super.connect((error: Error | null) => {
      const failure = error ?? this.#refusal();
      if (failure) this.#onRefused(failure);
      callback(failure);
      // The pool only forgets a client that failed; a refused server would keep it.
      if (failure && !error) void this.end().catch(() => undefined);
    });
  }

  #connect(): Promise<this> {
    return new Promise((resolve, reject) => {
      this.connect((error) => (error ? reject(error) : resolve(this)));
    });
  }

  /** Undefined when the server may be used. */
  #refusal(): Error | undefined {
    const mustWrite = this.#targets.accepts === "read-write";
    if (!this.#isStandby && !(mustWrite && this.#isReadOnly)) return undefined;
    const reason = this.#isStandby ? "is a standby" : "is set to read-only";
    return unavailable(new Error(`the server ${reason} and accepts no writes`));
  }

  #onRefused(failure: Error): void {
    this.#targets.avoid(this.#target, failure);
    if (this.#isReadOnly) this.#health?.note("read_only");
    else if (isUnavailable(failure) && !conditionOf(failure)) this.#health?.note("unreachable");
  }

  get #isStandby(): boolean {
    return this.#reported.get("in_hot_standby") === "on";
  }

  get #isReadOnly(): boolean {
    return this.#isStandby || this.#reported.get("default_transaction_read_only") === "on";
  }

  readonly #onParameter = ({ parameterName, parameterValue }: ParameterStatus): void => {
    this.#reported.set(parameterName, parameterValue);
  };

  readonly #onError = (error: DatabaseError): void => {
    const condition = conditionOf(error);
    if (condition) this.#health?.note(condition);
    if (!leavesConnectionUsable(error)) this.fault ??= error;
  };
}

type Connected = (error?: Error | null) => void;

/** PostgreSQL's message of this name. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export interface ClientOptions extends pg.ClientConfig {
  /** `postgres://` address of one or several hosts. */
  url: string;
}

/** Opens a single connection, to the first host of the address that accepts writes. */
export async function openConnection({
  url,
  ...config
}: ClientOptions): Promise<DatabaseConnection> {
  const targets = new ConnectionTargets(url);
  return targets.connect(() => new DatabaseConnection({ ...config, targets }).connect());
}
