import { hash } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { LRUCache } from "lru-cache";

import type { Authentication } from "../clients/auth-client.ts";
import type { Principal } from "./principal.ts";

/** Time from asking about a key until it must be asked about again; a revocation is seen by then. */
const KEY_AGE_MAX_MS = 4_000;
const KEYS_MAX = 10_000;

interface KnownKey {
  readonly principal: Principal;
  readonly askedAtMs: number;
}

/**
 * Remembers good keys for a short while, and asks only once when many requests bring the same key.
 * Refusals are not remembered. Keys are kept as SHA-256, never as text.
 */
export class KeyCache {
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, KnownKey>({ max: KEYS_MAX });
  readonly #asking = new Map<string, Promise<Authentication>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `ask` answers or answered about the key within the last 4 s. */
  async find(key: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    const digest = hash("sha256", key, "base64");
    const known = this.#known.get(digest);
    if (known && this.#clock.monotonicMs() - known.askedAtMs < KEY_AGE_MAX_MS) return known;
    const asking = this.#asking.get(digest);
    if (asking) return asking;
    const answer = this.#remember(digest, ask).finally(() => this.#asking.delete(digest));
    this.#asking.set(digest, answer);
    return answer;
  }

  /** What `ask` answers now. */
  async refresh(key: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    return this.#remember(hash("sha256", key, "base64"), ask);
  }

  async #remember(digest: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    const askedAtMs = this.#clock.monotonicMs();
    const answer = await ask();
    if ("refusal" in answer) this.#known.delete(digest);
    else this.#known.set(digest, { principal: answer.principal, askedAtMs });
    return answer;
  }
}
