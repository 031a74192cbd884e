import { sample } from "../load/load.ts";
import type { Account, Load, Seen } from "../load/load.ts";

/**
 * Runs one step of the test and prints a line about it: its time, and its result if that is a text.
 * Rethrows errors.
 */
export async function step<Result>(
  name: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);
  try {
    const result = await work();
    const detail = typeof result === "string" && result !== "" ? `: ${result}` : "";
    console.log(`ok    ${name} (${seconds()} s)${detail}`);
    return result;
  } catch (error) {
    console.log(`FAIL  ${name} (${seconds()} s)`);
    throw error;
  }
}

/** Guarantees to clients over all steps, compared with the final state. */
export class Ledger {
  readonly #load: Load;
  readonly #logged = new Map<Account, Set<string>>();
  #failed = 0;
  #lost = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  /** Runs a step under load. Records failed requests and lost writes, and continues. */
  async step(name: string, work: () => Promise<unknown>): Promise<void> {
    await step(name, async () => {
      const seen = await this.#load.during(work);
      this.#note(seen);
      const lost = await this.#countLost();
      this.#failed += seen.failures.length;
      this.#lost += lost;
      const failures = seen.failures.length > 0 ? `\n${sample(seen.failures)}` : "";
      return (
        `${seen.answered} requests answered, ${seen.failures.length} failed; ` +
        `${seen.logged.length} writes acknowledged, ${lost} lost in total so far${failures}`
      );
    });
  }

  /** Throws if a request failed or a write was lost. */
  close(): void {
    const writes = [...this.#logged.values()].reduce((sum, { size }) => sum + size, 0);
    console.log(
      `${writes} writes acknowledged, ${this.#lost} lost; ${this.#failed} requests failed.`,
    );
    if (this.#failed + this.#lost > 0) throw new Error("Clients noticed.");
  }

  #note({ logged }: Seen): void {
    for (const { account, item } of logged) {
      const items = this.#logged.get(account) ?? new Set();
      this.#logged.set(account, items.add(item));
    }
  }

  async #countLost(): Promise<number> {
    let lost = 0;
    for (const [account, items] of this.#logged) {
      const present = await this.#load.itemsOf(account);
      lost += [...items].filter((item) => !present.has(item)).length;
    }
    return lost;
  }
}
