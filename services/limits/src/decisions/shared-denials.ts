import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import type { RedisConnection } from "@nutrition/redis/connection";
import { connectRedis } from "@nutrition/redis/connection";

import type { SignedQuestion, SharedDenial } from "./denial-signature.ts";
import { DenialSignature } from "./denial-signature.ts";

export interface SharedDenialsOptions {
  /** Address of the Redis. */
  url: Secret;
  /** Secret shared by all instances of this service and known to nobody else. */
  secret: string;
  logger: Logger;
  /** Called with each denial that another instance shared. */
  onFound: (about: SignedQuestion, refusal: SharedDenial) => void;
}

const QUESTIONS_MAX = 512;
const WRITES_MAX = 64;
const VALUE_MAX_BYTES = 8_192;
/**
 * Braces (a hash tag) keep all keys in one slot of a Redis cluster, where one script can read them.
 */
const KEY_PREFIX = "{limits:refusals}:";

/** Reads values up to a size; longer ones were written by somebody else and are ignored. */
const FIND = `
  local found = {}
  for index, key in ipairs(KEYS) do
    local size = redis.pcall("strlen", key)
    local fits = type(size) == "number" and size <= tonumber(ARGV[1])
    found[index] = fits and redis.call("get", key) or ""
  end
  return found`;

/**
 * Shares denials between instances through Redis. Lookups run alongside the decision and are never
 * awaited: an answer either arrives in time to spare a decision or is not used. No answer depends
 * on whether Redis is down, slow, empty or corrupted.
 */
export class SharedDenials implements Disposable {
  readonly #connection: RedisConnection;
  readonly #seal: DenialSignature;
  readonly #options: SharedDenialsOptions;
  readonly #asked = new Map<string, SignedQuestion>();
  #isLooking = false;
  #writes = 0;

  constructor(options: SharedDenialsOptions) {
    this.#options = options;
    this.#seal = new DenialSignature(options.secret);
    this.#connection = connectRedis({ ...options, purpose: "sharing refusals" });
  }

  /** Looks the question up; calls `onFound` if another instance has shared a denial. */
  lookUp(about: SignedQuestion): void {
    if (this.#connection.redis.status !== "ready" || this.#asked.size >= QUESTIONS_MAX) return;
    this.#asked.set(keyOf(about), about);
    if (this.#isLooking) return;
    this.#isLooking = true;
    // Questions of the same turn of the event loop share one lookup.
    queueMicrotask(() => void this.#lookForAll());
  }

  /** Shares a denial. `liveMs` lets Redis delete it; whether it holds does not depend on that. */
  share(about: SignedQuestion, refusal: SharedDenial, liveMs: number): void {
    const { redis, noteFailure } = this.#connection;
    if (redis.status !== "ready" || this.#writes >= WRITES_MAX) return;
    this.#writes += 1;
    redis
      .set(keyOf(about), this.#seal.sign(about, refusal), "PX", Math.ceil(liveMs))
      .catch(noteFailure)
      .finally(() => (this.#writes -= 1));
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #lookForAll(): Promise<void> {
    try {
      while (this.#asked.size > 0) {
        const pendingQuestions = [...this.#asked];
        this.#asked.clear();
        await this.#lookFor(pendingQuestions);
      }
    } catch (error) {
      this.#asked.clear();
      this.#connection.noteFailure(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookFor(asked: readonly [key: string, about: SignedQuestion][]): Promise<void> {
    const keys = asked.map(([key]) => key);
    const found = await this.#connection.redis.eval(FIND, keys.length, ...keys, VALUE_MAX_BYTES);
    for (const [index, [, about]] of asked.entries()) {
      const value: unknown = Array.isArray(found) ? found[index] : undefined;
      const refusal = typeof value === "string" ? this.#seal.verify(about, value) : undefined;
      if (refusal) this.#options.onFound(about, refusal);
    }
  }
}

function keyOf({ version, question }: SignedQuestion): string {
  return `${KEY_PREFIX}${version}:${question}`;
}
