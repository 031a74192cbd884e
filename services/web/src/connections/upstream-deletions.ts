import { toFailure } from "@nutrition/core/failure";
import { DeletionOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { UpstreamDeletion } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Backends } from "../clients/backends.ts";
import { callFor } from "../clients/person-calls.ts";
import { deleteApproval } from "../identity-provider/oauth-calls.ts";
import type { ProviderApi } from "../identity-provider/provider-api.ts";
import type { SealedCookies } from "../sessions/sealed-cookies.ts";
import type { Person } from "../sessions/session.ts";

export interface UpstreamDeletionsOptions {
  backends: Backends;
  api: ProviderApi;
  seals: SealedCookies;
}

const PURPOSE = "upstream-deletion";
/** The auth service keeps what is sealed here no longer. */
const SEALED_SECONDS = 3_600;
const SEALED_MAX_BYTES = 8_192;
/** So few at a time that all are done long before their lease ends. */
const AT_ONCE = 10;
const TIMEOUT_MS = 5_000;

/**
 * Takes back at the identity provider what people have taken back here. The auth service refuses the
 * assistant from the first moment on; this only tidies up, and goes on until it has succeeded.
 */
export class UpstreamDeletions {
  readonly #options: UpstreamDeletionsOptions;

  constructor(options: UpstreamDeletionsOptions) {
    this.#options = options;
  }

  /**
   * What the auth service keeps, so that a deletion can be made up for while the person is away.
   * Empty when it would be too much: the deletion then waits until the person signs in.
   */
  async seal({ accessToken }: Person): Promise<Uint8Array> {
    const sealed = await this.#options.seals.seal({ accessToken }, PURPOSE, SEALED_SECONDS);
    return Buffer.from(sealed.length <= SEALED_MAX_BYTES ? sealed : "");
  }

  /** Makes all deletions that are open for the person, with the person's own session. */
  async finishOwn(person: Person): Promise<void> {
    const { auth } = this.#options.backends;
    const { deletions } = await auth.takeOwnUpstreamDeletions({}, callFor(person));
    for (let start = 0; start < deletions.length; start += AT_ONCE) {
      const batch = deletions.slice(start, start + AT_ONCE);
      await Promise.all(batch.map((deletion) => this.#finish(deletion, person.accessToken)));
    }
  }

  /** Makes some of the deletions that are due, with the sessions that were sealed for them. */
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
      const isDeleted = await deleteApproval(this.#options.api, token, clientId);
      return isDeleted ? DeletionOutcome.DONE : DeletionOutcome.NEEDS_SIGN_IN;
    } catch (error) {
      if (toFailure(error).kind !== "unavailable") throw error;
      return DeletionOutcome.RETRY;
    }
  }
}
