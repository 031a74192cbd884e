import { InFlight } from "@nutrition/core/in-flight";
import type { UserIdentity } from "@nutrition/core/user-identity";

import { HttpRefusal } from "../http/refusal.ts";

/** Maximum number of open requests per credential; more than assistants ever send concurrently. */
export const OPEN_PER_CREDENTIAL_MAX = 16;
/** Maximum number of open requests per account, over all keys and connections. */
export const OPEN_PER_ACCOUNT_MAX = 32;

/** Limits the concurrent requests per credential and per account. */
export class OpenRequests {
  readonly #accounts = new InFlight(OPEN_PER_ACCOUNT_MAX);
  readonly #credentials = new InFlight(OPEN_PER_CREDENTIAL_MAX);

  /**
   * Takes a slot and returns a function that releases it. Throws the refusal `rate_limit_exceeded` if no slot
   * is free.
   */
  enter(user: UserIdentity): () => void {
    const leaveCredential = this.#credentials.enter(credentialName(user));
    if (!leaveCredential) throw tooMany(credentialInWords(user));
    const leaveAccount = this.#accounts.enter(user.accountId);
    if (!leaveAccount) {
      leaveCredential();
      throw tooMany("account");
    }
    return () => {
      leaveCredential();
      leaveAccount();
    };
  }
}

/** Identifies a key or a connection. Client ids are unique only within an account. */
export function credentialName({ accountId, credentialKind, credentialId }: UserIdentity): string {
  return `${credentialKind} ${accountId} ${credentialId}`;
}

/** Name of the kind of credential in messages. */
export function credentialInWords({ credentialKind }: UserIdentity): string {
  return credentialKind === "api_key" ? "API key" : "connection";
}

function tooMany(subject: string): HttpRefusal {
  return new HttpRefusal(
    "rate_limit_exceeded",
    `This ${subject} has too many open requests. Wait for responses before sending more.`,
    { headers: { "Retry-After": "1" } },
  );
}
