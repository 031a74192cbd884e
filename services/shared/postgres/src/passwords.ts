import type { Secret } from "@nutrition/core/secret";
import pg from "pg";

/** SQLSTATE of a wrong password (PostgreSQL documentation, appendix A). */
const INVALID_PASSWORD = "28P01";

/**
 * The address of a database with the password of a role and, while an operator changes it, with the
 * other password that the role may have. The last one that worked is tried first.
 */
export class Passwords {
  readonly #first: string;
  readonly #other: string;
  #current: string;

  constructor(url: string, fallback?: Secret) {
    this.#first = url;
    this.#other = fallback === undefined ? url : withPassword(url, fallback.reveal());
    this.#current = url;
  }

  /**
   * Takes a connection from a pool, trying the other password when the server rejects the first.
   */
  async connect(pool: pg.Pool): Promise<pg.PoolClient> {
    const used = this.#current;
    try {
      return await connectTo(used, pool);
    } catch (error) {
      const isRefused = error instanceof pg.DatabaseError && error.code === INVALID_PASSWORD;
      if (!isRefused || this.#first === this.#other) throw error;
      // Not simply the unused one: others may have switched at the same time.
      this.#current = used === this.#first ? this.#other : this.#first;
      return connectTo(this.#current, pool);
    }
  }
}

/** Connections opened for the callback go to `url`. */
function connectTo(url: string, pool: pg.Pool): Promise<pg.PoolClient> {
  pool.options.connectionString = url;
  return pool.connect();
}

function withPassword(url: string, password: string): string {
  return Object.assign(new URL(url), { password }).href;
}
