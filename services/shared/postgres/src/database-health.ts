import { statfs } from "node:fs/promises";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { DatabaseCondition } from "@nutrition/core/database-conditions";
import { DATABASE_CONDITIONS } from "@nutrition/core/database-conditions";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import { databaseCondition } from "@nutrition/telemetry/metrics/nutrition";

import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

export interface DatabaseHealthOptions {
  logger: Logger;
  clock?: Clock;
  /** Folder of PostgreSQL's data, if it is on this machine; its disk is watched. */
  folder?: string | undefined;
}

/** A condition of the database that an instance has noticed. */
export interface NoticedCondition {
  readonly condition: DatabaseCondition;
  readonly since: Date;
  readonly message: string;
  readonly advice: string;
}

/** A condition that is not seen again ends after this time. */
const REMEMBERED_MS = 60_000;

/** PostgreSQL adds to its log in files of 16 MiB, and stops when there is no room for one. */
const FULL_BYTES = 16 * 1_024 * 1_024;
/** Nearly full is less than a tenth of the disk, and on a large one, less than 5 GiB. */
const NEARLY_FULL_SHARE = 0.1;
const NEARLY_FULL_BYTES = 5 * 1_024 ** 3;

/**
 * What a service knows about its database: the conditions that its connections meet, and how full
 * the disk is. It logs when each begins and ends, and reports them in metrics.
 */
export class DatabaseHealth implements Disposable {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #folder: string | undefined;
  readonly #noticed = new Map<DatabaseCondition, { since: Date; lastMs: number }>();
  readonly #observed = new DisposableStack();

  constructor({ logger, clock = systemClock, folder }: DatabaseHealthOptions) {
    this.#log = moduleLogger(logger, "database");
    this.#clock = clock;
    this.#folder = folder;
    for (const condition of Object.keys(DATABASE_CONDITIONS) as DatabaseCondition[]) {
      const labels = { "nutrition.database.condition": condition };
      const isNoticed = () =>
        Number(this.conditions().some((each) => each.condition === condition));
      this.#observed.use(databaseCondition.observe(labels, isNoticed));
    }
  }

  /** A condition was met now. */
  note(condition: DatabaseCondition): void {
    const lastMs = this.#clock.monotonicMs();
    const known = this.#noticed.get(condition);
    if (known) {
      known.lastMs = lastMs;
      return;
    }
    this.#noticed.set(condition, { since: this.#clock.now(), lastMs });
    const { message, advice } = DATABASE_CONDITIONS[condition];
    const isUrgent = condition !== "disk_nearly_full";
    this.#log[isUrgent ? "error" : "warn"]({ condition }, `${message} ${advice}`);
  }

  /** Logs that an idle connection broke; the pool opens another. */
  idleError(error: Error): void {
    this.#log.warn({ err: error }, "an idle database connection broke");
  }

  /** What is wrong now. */
  conditions(): NoticedCondition[] {
    const nowMs = this.#clock.monotonicMs();
    for (const [condition, { lastMs }] of this.#noticed) {
      if (nowMs - lastMs >= REMEMBERED_MS) this.#end(condition);
    }
    return [...this.#noticed].map(([condition, { since }]) => ({
      condition,
      since,
      ...DATABASE_CONDITIONS[condition],
    }));
  }

  /**
   * Looks at the disk and asks the server, so that a condition is noticed, and its end, while there
   * are no requests. Never rejects.
   */
  async check(database: Queryable): Promise<void> {
    await this.#checkDisk();
    try {
      const [session] = await database.query<Session>(SESSION);
      this.#end("unreachable");
      if (session?.transaction_read_only === "on") this.note("read_only");
      else this.#end("read_only");
    } catch {
      // The connection that failed has noted why.
    }
    this.conditions();
  }

  [Symbol.dispose](): void {
    this.#observed.dispose();
  }

  #end(condition: DatabaseCondition): void {
    if (!this.#noticed.delete(condition)) return;
    const { message } = DATABASE_CONDITIONS[condition];
    this.#log.info({ condition, isOver: true }, `No longer: ${message}`);
  }

  async #checkDisk(): Promise<void> {
    if (this.#folder === undefined) return;
    try {
      const { bavail, blocks, bsize } = await statfs(this.#folder);
      const [freeBytes, bytes] = [bavail * bsize, blocks * bsize];
      if (freeBytes < FULL_BYTES) this.note("disk_full");
      else if (freeBytes < Math.min(bytes * NEARLY_FULL_SHARE, NEARLY_FULL_BYTES)) {
        this.note("disk_nearly_full");
      }
    } catch (error) {
      // A disk that cannot be read is not called full.
      this.#log.debug({ err: error }, "the disk of the database could not be read");
    }
  }
}

interface Session {
  transaction_read_only: "on" | "off";
}

const SESSION = sql`show transaction_read_only`;
