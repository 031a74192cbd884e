import { DatabaseAddress } from "@nutrition/core/database-address";
import type { Secret } from "@nutrition/core/secret";
import pg from "pg";

import { isUnavailable } from "./errors.ts";

/** SQLSTATE of a wrong password (PostgreSQL documentation, appendix A). */
const INVALID_PASSWORD = "28P01";

/** Time for one attempt to connect, and for a caller to wait for a connection, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** Where one connection goes: a host and a password. */
export interface ConnectionTarget {
  readonly host: number;
  readonly password: number;
  /** `postgres://` address of this host with this password. */
  readonly url: string;
}

/**
 * The hosts of a database address, and the two passwords that a role may have while an operator
 * changes it. What worked last is tried first.
 */
export class ConnectionTargets {
  /** Addresses by host and password. */
  readonly #urls: readonly (readonly string[])[];
  readonly accepts: DatabaseAddress["accepts"];
  #host = 0;
  #password = 0;

  constructor(url: string, fallbackPassword?: Secret) {
    const address = new DatabaseAddress(url);
    const addresses = [address.urls];
    if (fallbackPassword !== undefined) {
      const password = fallbackPassword.reveal();
      addresses.push(new DatabaseAddress(address.as({ password })).urls);
    }
    this.accepts = address.accepts;
    this.#urls = address.hosts.map((_, host) => addresses.map((urls) => urls[host] ?? ""));
  }

  get current(): ConnectionTarget {
    const [host, password] = [this.#host, this.#password];
    return { host, password, url: this.#urls[host]?.[password] ?? "" };
  }

  /**
   * Makes the next connections go elsewhere than one that failed, unless others have already moved
   * on. A rejected password says nothing about the host, and the reverse.
   */
  avoid({ host, password }: ConnectionTarget, error: unknown): void {
    if (isPasswordRejected(error)) {
      if (this.#password === password) this.#password = (password + 1) % this.#passwords;
    } else if (isUnavailable(error) && this.#host === host) {
      this.#host = (host + 1) % this.#urls.length;
    }
  }

  /**
   * Opens a connection with `open`, which uses the current target and calls `avoid` when that fails.
   * Tries each target once, but begins no attempt after the time that one may take.
   */
  async connect<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    const startedAtMs = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return await open();
      } catch (error) {
        const isLate = performance.now() - startedAtMs >= CONNECT_TIMEOUT_MS;
        const isLast = tries === this.#urls.length * this.#passwords;
        if (isLate || isLast || !this.#mayHelp(error)) throw error;
      }
    }
  }

  /** Whether another target may do what this error prevented. */
  #mayHelp(error: unknown): boolean {
    if (isPasswordRejected(error)) return this.#passwords > 1;
    return this.#urls.length > 1 && isUnavailable(error);
  }

  get #passwords(): number {
    return this.#urls[0]?.length ?? 1;
  }
}

function isPasswordRejected(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INVALID_PASSWORD;
}
