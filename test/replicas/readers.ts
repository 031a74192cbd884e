import type { Replicas } from "../bench/replicas/fleet.ts";

const TIMEOUT_MS = 10_000;

/** People who read all the time, through each gateway in turn, and what they were answered. */
export class Readers implements AsyncDisposable {
  readonly failures: string[] = [];
  answers = 0;
  /** Current phase of the test, for failure messages. */
  phase = "";
  readonly #replicas: Replicas;
  readonly #keys: readonly string[];
  readonly #paths: readonly string[];
  #isStopped = false;
  #turn = 0;
  readonly #work: Promise<unknown>;

  constructor(
    replicas: Replicas,
    options: { keys: readonly string[]; paths: readonly string[]; count: number },
  ) {
    this.#replicas = replicas;
    this.#keys = options.keys;
    this.#paths = options.paths;
    this.#work = Promise.all(Array.from({ length: options.count }, () => this.#read()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) {
      this.#turn += 1;
      const { baseUrls } = this.#replicas;
      const baseUrl = baseUrls[this.#turn % baseUrls.length] ?? "";
      // Each gateway gets all paths.
      const path = this.#paths[Math.floor(this.#turn / baseUrls.length) % this.#paths.length] ?? "";
      const key = this.#keys[this.#turn % this.#keys.length] ?? "";
      const failure = await failureOf(baseUrl + path, key).catch(String);
      if (failure === undefined) this.answers += 1;
      else this.failures.push(`${this.phase}: ${failure}`);
    }
  }
}

/** The status of an answer that was read to its end. */
export async function statusOf(url: string, key: string): Promise<number> {
  const response = await get(url, key);
  await response.arrayBuffer();
  return response.status;
}

/** Description of a wrong answer; undefined for a right one. */
async function failureOf(url: string, key: string): Promise<string | undefined> {
  const response = await get(url, key);
  const text = await response.text();
  return response.status === 200 ? undefined : `${response.status} ${text}`;
}

function get(url: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
