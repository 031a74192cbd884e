import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { DueErasure } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Backends } from "../clients/backends.ts";
import type { IdentityProvider } from "../identity-provider/identity-provider.ts";

export interface ErasuresOptions {
  backends: Backends;
  provider: Pick<IdentityProvider, "deletePerson">;
  /** Whether to send a mail once the account is erased. */
  sendMail: boolean;
  clock: Clock;
  logger: Logger;
}

/** Few enough that all finish well before their lease ends. */
const AT_ONCE = 2;
const CALL = { timeoutMs: 10_000 };
/** For calls that delete many rows. */
const LONG_CALL = { timeoutMs: 100_000 };
/** Time within which every gateway stops accepting an ended credential. */
const CREDENTIALS_FADE_MS = 5_000;

/**
 * Erases accounts at the end of their waiting period: the journal, which then refuses their writes; the
 * person at the identity provider; the account with its keys and grants; and, once no gateway can still count
 * requests for it, its name in the usage. Every step can be repeated, and the auth service remembers the
 * erasure until the last step is done, so the next lease starts over after a crash.
 */
export class Erasures {
  readonly #options: ErasuresOptions;

  constructor(options: ErasuresOptions) {
    this.#options = options;
  }

  /** Erases some of the due accounts. One that fails is retried when its lease ends. */
  async finishDue(): Promise<void> {
    const { backends, logger } = this.#options;
    const { erasures } = await backends.auth.takeErasures({ max: AT_ONCE }, CALL);
    const erasing = erasures.map((erasure) =>
      this.#erase(erasure).catch((error: unknown) => {
        logger.warn({ err: error, account_id: erasure.accountId }, "erasure postponed");
      }),
    );
    await Promise.all(erasing);
  }

  /**
   * Finishes an erasure that has begun. Returns what became of the person at the identity provider;
   * undefined while another instance holds its lease.
   */
  async finish(accountId: string): Promise<"deleted" | "not_allowed" | undefined> {
    const { auth } = this.#options.backends;
    const { erasures } = await auth.takeErasures({ max: 1, accountId }, CALL);
    return erasures[0] && this.#erase(erasures[0]);
  }

  async #erase({ accountId, subject }: DueErasure): Promise<"deleted" | "not_allowed"> {
    const { backends, provider, sendMail, clock, logger } = this.#options;
    await backends.journal.eraseAccount({ accountId }, LONG_CALL);
    const outcome = subject === "" ? "deleted" : await provider.deletePerson(subject);
    if (outcome === "not_allowed") {
      const message = "the identity provider keeps the person: AUTH_API_KEY may not delete users";
      logger.warn({ account_id: accountId }, message);
    }
    await backends.auth.eraseTakenAccount({ accountId, sendMail }, CALL);
    await clock.sleep(CREDENTIALS_FADE_MS);
    await backends.limits.unlinkAccount({ accountId }, LONG_CALL);
    await backends.auth.finishErasure({ accountId }, CALL);
    return outcome;
  }
}
