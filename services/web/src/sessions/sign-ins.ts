import type { Response } from "express";

import type { Backends } from "../clients/backends.ts";
import type { ProviderTokens } from "../identity-provider/sign-in-calls.ts";
import type { ProviderSessions } from "./provider-sessions.ts";
import type { Person, Sessions } from "./session.ts";

export interface SignInsOptions {
  providerSessions: ProviderSessions;
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

  /** Begins a session for the account of the tokens, creating the account if needed. */
  async begin(response: Response, tokens: ProviderTokens): Promise<Person> {
    const { providerSessions, sessions, backends, onSignedIn } = this.#options;
    const { session, claims } = await providerSessions.verify(tokens);
    const { email, isEmailConfirmed } = tokens.user;
    const replacedSessionId = await sessions.idIn(response.req);
    const { account, sessionId } = await backends.auth.signIn(
      {
        claims: {
          issuer: claims.issuer,
          subject: claims.subject,
          email,
          // Read from the provider's record of the person, because tokens do not contain it.
          emailVerified: isEmailConfirmed,
          name: claims.name ?? "",
          avatarUrl: claims.avatarUrl ?? "",
        },
        replacedSessionId,
        authenticationMethods: [...claims.authenticationMethods],
      },
      { timeoutMs: TIMEOUT_MS },
    );
    const { id, name } = account!;
    const person = await sessions.begin(response, { id, email, name, sessionId }, session);
    onSignedIn(person);
    return person;
  }
}
