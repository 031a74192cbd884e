import type { Queryable } from "@nutrition/postgres/database";

import type { Refused } from "../domain/decision.ts";
import { addDenials } from "../store/refusal-store.ts";

/**
 * Counts denials in memory and writes them to the database periodically, so that a denial costs no
 * write. Each counts once, for the policy with the longest wait.
 */
export class DenialCounter {
  #counts = new Map<string, number>();

  add({ violations: [deciding] }: Refused): void {
    const { name } = deciding.policy;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /**
   * Writes the counts since the last flush; counts that cannot be written are kept for the next.
   */
  async flush(database: Queryable): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    try {
      await addDenials(database, counts);
    } catch (error) {
      for (const [name, count] of counts) {
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
      }
      throw error;
    }
  }
}
