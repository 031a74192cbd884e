import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import { keySetUnavailable, keySetFetched } from "@nutrition/telemetry/metrics/nutrition";

import type { VerificationKey } from "./verification-key.ts";
import { importKeySet } from "./verification-key.ts";

export interface KeySetOptions {
  url: string;
  clock: Clock;
  logger: Logger;
  fetch?: typeof globalThis.fetch;
}

/** The identity provider allows its key set to be cached this long. */
const FRESH_MS = 600_000;
/** How long a key set that cannot be renewed is still used. */
const STALE_MAX_MS = 86_400_000;
/** Minimum time between two fetches, so that tokens with made-up key ids cause no flood. */
const COOLDOWN_MS = 30_000;
/** The same while the key set is unavailable, perhaps only because it starts at the same time. */
const RETRY_MS = 2_000;
/** Pause between attempts to fetch an unavailable key set, whether or not tokens arrive. */
const RECOVERY_PAUSE_MS = 10_000;
const FETCH_TIMEOUT_MS = 5_000;
const BODY_MAX_BYTES = 262_144;

/** Reason of the failure for a token of an unknown key while the key set is unavailable. */
export const KEY_SET_UNAVAILABLE = "KEY_SET_UNAVAILABLE";

interface Fetched {
  readonly keys: ReadonlyMap<string, VerificationKey>;
  readonly atMs: number;
}

/**
 * The identity provider's public keys, cached so that its outage does not affect existing tokens.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #fetched: Fetched | undefined;
  #isAway = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
    // A key set that was never fetched has the maximum age.
    keySetFetched.set(0, {});
  }

  /**
   * The key with this id; undefined when the provider has none. Fails with `unavailable` when that
   * is unknown because the key set is unavailable.
   */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const cachedKey = this.#find(kid);
    if (cachedKey) {
      if (this.#ageMs() <= FRESH_MS) return cachedKey;
      // While the provider is unavailable, tokens of known keys do not wait for it.
      const renewal = this.#ask();
      if (this.#isAway) return cachedKey;
      await renewal;
    } else {
      await this.#ask();
    }
    const found = this.#find(kid);
    if (!found && this.#isAway) throw AWAY;
    return found;
  }

  /**
   * Until disposed, fetches the keys before the first token arrives and, during an outage, until
   * they are back. Otherwise only a request with a token would show that the outage has ended.
   */
  keepWarm(): Disposable {
    void this.#ask();
    const timer = setInterval(() => {
      if (this.#isAway) void this.#ask();
    }, RECOVERY_PAUSE_MS).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  #find(kid: string): VerificationKey | undefined {
    return this.#ageMs() <= STALE_MAX_MS ? this.#fetched?.keys.get(kid) : undefined;
  }

  #ageMs(): number {
    return this.#options.clock.monotonicMs() - (this.#fetched?.atMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Fetches the keys, unless that was attempted within the cooldown. Never rejects. */
  async #ask(): Promise<void> {
    if (this.#asking) return this.#asking;
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#askedAtMs < (this.#isAway ? RETRY_MS : COOLDOWN_MS)) return;
    this.#askedAtMs = nowMs;
    this.#asking = this.#fetch(nowMs).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #fetch(atMs: number): Promise<void> {
    const { url, logger, fetch = globalThis.fetch } = this.#options;
    const log = moduleLogger(logger, "key-set");
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      });
      if (response.status !== 200) throw new Error(`The key set answered ${response.status}.`);
      const keys = await importKeySet(JSON.parse(await readText(response)));
      if (keys.size === 0) throw new Error("The key set has no usable key.");
      this.#fetched = { keys, atMs };
      keySetFetched.set(Date.now() / 1_000, {});
      if (this.#isAway) log.info({}, "the key set is available again");
      this.#isAway = false;
      keySetUnavailable.set(0, {});
    } catch (error) {
      if (!this.#isAway)
        log.warn({ err: error }, "the key set is unavailable; known keys stay in use");
      this.#isAway = true;
      keySetUnavailable.set(1, {});
    }
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_MAX_BYTES) throw new Error("The key set is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const AWAY = new Failure(
  "unavailable",
  KEY_SET_UNAVAILABLE,
  "Access tokens cannot be verified at the moment. Try again later.",
  { retryAfterMs: RETRY_MS },
);
