import type { Response } from "express";

import type { Backends } from "../clients/backends.ts";
import type { ProviderIdentity, SignedIn } from "../identity-provider/identity-provider.ts";
import type { Person } from "../clients/person.ts";
import type { Sessions } from "./session.ts";

export interface SignInsOptions {
  sessions: Sessions;
  backends: Backends;
  /** Called with the signed-in person; not awaited. */
  onSignedIn: (person: Person) => void;
}

const TIMEOUT_MS = 5_000;

/** Signs people in on the pages. */
export class SignIns {
  readonly #options: SignInsOptions;

  constructor(options: SignInsOptions) {
    this.#options = options;
  }

  /**
   * Begins a session for the account of the identity, creating the account if needed. Rejects with the failure
   * `failed_precondition`, PASSWORD_UNPROVEN, if the password may be a stranger's.
   */
  async begin(
    response: Response,
    { session, identity }: SignedIn,
    { hasSetPassword = false } = {},
  ): Promise<Person> {
    const { sessions, backends, onSignedIn } = this.#options;
    const { issuer, subject, email, isEmailConfirmed, name: ownName, avatarUrl } = identity;
    const replacedSessionId = await sessions.idIn(response.req);
    const { account, sessionId } = await backends.auth.signIn(
      {
        claims: {
          issuer,
          subject,
          email,
          emailVerified: isEmailConfirmed,
          name: ownName,
          avatarUrl,
        },
        replacedSessionId,
        authenticationMethods: [...identity.authenticationMethods],
        passwordSet: hasSetPassword,
        passwordUnproven: identity.isPasswordUnproven && isByPassword(identity),
      },
      { timeoutMs: TIMEOUT_MS },
    );
    const { id, name } = account!;
    const person = await sessions.begin(response, { id, email, name, sessionId }, session);
    onSignedIn(person);
    return person;
  }
}

/** Whether the password alone signed the person in. */
function isByPassword({ authenticationMethods }: ProviderIdentity): boolean {
  return authenticationMethods.includes("password");
}
