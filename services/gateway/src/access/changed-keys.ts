import { bufferView } from "@nutrition/core/buffer-view";
import type { Clock } from "@nutrition/core/clock";
import { isUuid } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import type { RevokedCredential } from "@nutrition/redis/revoked-credential";
import { LRUCache } from "lru-cache";

import type { AuthClient } from "../clients/auth-client.ts";
import { KEY_TAIL_BYTES, KeyTailSet } from "./key-tail-set.ts";

/** Maximum age of what was read, from the start of reading; revocations take effect within this time. */
const AGE_MAX_MS = 4_000;
/** Longer than it takes to read the account's changed keys. */
const ACCOUNT_SUSPECT_MS = 10_000;
const ACCOUNTS_MAX = 10_000;

/** The signed keys that are no longer what their texts say, such as revoked ones. */
export class ChangedKeys {
  readonly #auth: Pick<AuthClient, "listChangedKeys">;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #keys = new KeyTailSet();
  /** Until when the keys of an account count as changed. */
  readonly #accounts = new LRUCache<string, number>({ max: ACCOUNTS_MAX });
  #cursor = "";
  #readAtMs = -Infinity;
  #isFailing = false;

  constructor(auth: Pick<AuthClient, "listChangedKeys">, clock: Clock, logger: Logger) {
    this.#auth = auth;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Reads what has changed since the last time; at first, everything. Never rejects. */
  async read(): Promise<void> {
    const startedAtMs = this.#clock.monotonicMs();
    try {
      while (await this.#readPage());
      this.#readAtMs = startedAtMs;
      this.#isFailing = false;
    } catch (error) {
      const message = "changed keys cannot be read; until they can, all keys are looked up";
      if (!this.#isFailing) this.#logger.warn({ err: error }, message);
      this.#isFailing = true;
    }
  }

  /** Whether the key is certainly what its text says, or was until 4 s ago. */
  isUnchanged(keyId: string, accountId: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#readAtMs >= AGE_MAX_MS) return false;
    const untilMs = this.#accounts.get(accountId);
    if (untilMs !== undefined && nowMs < untilMs) return false;
    return !this.#keys.mayHave(keyId);
  }

  /** Adds a key, or for a while all keys of an account. */
  add({ accountId, credentialId }: RevokedCredential): void {
    if (credentialId === undefined) {
      this.#accounts.set(accountId, this.#clock.monotonicMs() + ACCOUNT_SUSPECT_MS);
    } else if (isUuid(credentialId)) {
      this.#keys.addOf(credentialId);
    }
  }

  /** Returns whether there is another page. */
  async #readPage(): Promise<boolean> {
    const { keyTails, cursor, hasMore } = await this.#auth.listChangedKeys(this.#cursor);
    const bytes = bufferView(keyTails);
    for (let at = 0; at + KEY_TAIL_BYTES <= bytes.length; at += KEY_TAIL_BYTES) {
      this.#keys.add(bytes, at);
    }
    this.#cursor = cursor;
    return hasMore;
  }
}
