import { toFailure } from "@nutrition/core/failure";
import { DeletionOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { UpstreamDeletion } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Backends } from "../clients/backends.ts";
import { callOptionsFor } from "../clients/call-options.ts";
import type { IdentityProvider } from "../identity-provider/identity-provider.ts";
import type { SealedCookies } from "../sessions/sealed-cookies.ts";
import type { Person } from "../clients/person.ts";

export interface UpstreamDeletionsOptions {
  backends: Backends;
  provider: IdentityProvider;
  seals: SealedCookies;
}

const PURPOSE = "upstream-deletion";
/** The auth service deletes sealed sessions after this time. */
const SEALED_SECONDS = 3_600;
const SEALED_MAX_BYTES = 8_192;
/** Few enough that all finish well before their lease ends. */
const AT_ONCE = 10;
const TIMEOUT_MS = 5_000;

/**
 * Deletes revoked approvals at the identity provider. The auth service refuses the assistant from
 * the moment of revocation; this is only the clean-up, and is retried until it succeeds.
 */
export class UpstreamDeletions {
  readonly #options: UpstreamDeletionsOptions;

  constructor(options: UpstreamDeletionsOptions) {
    this.#options = options;
  }

  /**
   * Seals the person's session for the auth service, so that the deletion can happen later without the
   * person. Empty if the session is too long; the deletion then waits for the next sign-in.
   */
  async seal({ accessToken }: Person): Promise<Uint8Array> {
    const sealed = await this.#options.seals.seal({ accessToken }, PURPOSE, SEALED_SECONDS);
    return Buffer.from(sealed.length <= SEALED_MAX_BYTES ? sealed : "");
  }

  /** Runs all of the person's pending deletions with the person's own session. */
  async finishOwn(person: Person): Promise<void> {
    const { auth } = this.#options.backends;
    const { deletions } = await auth.takeOwnUpstreamDeletions({}, callOptionsFor(person));
    for (let start = 0; start < deletions.length; start += AT_ONCE) {
      const batch = deletions.slice(start, start + AT_ONCE);
      await Promise.all(batch.map((deletion) => this.#finish(deletion, person.accessToken)));
    }
  }

  /** Runs some of the due deletions with the sessions sealed for them. */
  async finishDue(): Promise<void> {
    const { auth } = this.#options.backends;
    const { deletions } = await auth.takeUpstreamDeletions(
      { max: AT_ONCE },
      { timeoutMs: TIMEOUT_MS },
    );
    await Promise.all(
      deletions.map(async (deletion) => this.#finish(deletion, await this.#open(deletion))),
    );
  }

  async #open({ sealedSession }: UpstreamDeletion): Promise<string | undefined> {
    const sealed = Buffer.from(sealedSession).toString();
    const opened = await this.#options.seals.open(sealed, PURPOSE);
    const token = opened?.["accessToken"];
    return typeof token === "string" ? token : undefined;
  }

  async #finish(deletion: UpstreamDeletion, token: string | undefined): Promise<void> {
    const outcome = await this.#delete(deletion.clientId, token);
    const { id, leaseId } = deletion;
    await this.#options.backends.auth.finishUpstreamDeletion(
      { id, leaseId, outcome },
      { timeoutMs: TIMEOUT_MS },
    );
  }

  async #delete(clientId: string, token: string | undefined): Promise<DeletionOutcome> {
    if (token === undefined) return DeletionOutcome.NEEDS_SIGN_IN;
    try {
      const isDeleted = await this.#options.provider.deleteApproval(token, clientId);
      return isDeleted ? DeletionOutcome.DONE : DeletionOutcome.NEEDS_SIGN_IN;
    } catch (error) {
      if (toFailure(error).kind !== "unavailable") throw error;
      return DeletionOutcome.RETRY;
    }
  }
}
