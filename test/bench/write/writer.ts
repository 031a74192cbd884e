import { LoadGenerator } from "../load.ts";
import { toolCall } from "../mcp/messages.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import type { Round } from "../rounds.ts";
import { measureInTurns } from "../rounds.ts";

const FOOD_TEXT = "2 boiled eggs\n1 apple\n250 ml milk";
/** Items that one write stores. */
export const LINES = FOOD_TEXT.split("\n").length;
const TODAY = new Date().toISOString().slice(0, 10);

export interface WriterOptions {
  apiKeys: readonly string[];
  /** Length of a round. */
  seconds: number;
  stop: AbortSignal;
}

/** Logs food over MCP, one call at a time and each for another account. */
export class Writer implements Disposable {
  readonly #options: WriterOptions;
  readonly #generator = new LoadGenerator();
  /** Calls that were answered. */
  writes = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Throws when the accounts are used up: a second call would be answered as a duplicate. */
  async write(services: MeasuredSystem, rounds: number): Promise<Round[]> {
    const { apiKeys, seconds, stop } = this.#options;
    const { body, headers } = toolCall("log_food", { food_text: FOOD_TEXT, date: TODAY });
    const load = {
      paths: ["/mcp"],
      posts: { bodies: [body], headers },
      isInOrder: true,
      connections: 1,
      durationMs: seconds * 1_000,
    };
    const results: Round[] = [];
    while (results.length < rounds) {
      const order = { ...load, apiKeys: apiKeys.slice(this.writes) };
      const measure = { generator: this.#generator, load: order, rounds: 1 };
      const [[round] = []] = await measureInTurns([services], stop, measure);
      results.push(round as Round);
      this.writes += (round as Round).answers;
      if (this.writes > apiKeys.length)
        throw new Error("Fewer rounds or seconds: no accounts left.");
    }
    return results;
  }

  [Symbol.dispose](): void {
    this.#generator[Symbol.dispose]();
  }
}
