import type { Response } from "express";

import type { Backends } from "../clients/backends.ts";
import type { ProviderTokens } from "../identity-provider/sign-in-calls.ts";
import type { ProviderSessions } from "./provider-sessions.ts";
import type { Person, Sessions } from "./session.ts";

export interface SignInsOptions {
  providerSessions: ProviderSessions;
  sessions: Sessions;
  backends: Backends;
  /** Called with whoever has signed in; not waited for. */
  onSignedIn: (person: Person) => void;
}

const TIMEOUT_MS = 5_000;

/** Signs people in on the pages. */
export class SignIns {
  readonly #options: SignInsOptions;

  constructor(options: SignInsOptions) {
    this.#options = options;
  }

  /** Begins a session with the account that belongs to the tokens, which is made if need be. */
  async begin(response: Response, tokens: ProviderTokens): Promise<Person> {
    const { providerSessions, sessions, backends, onSignedIn } = this.#options;
    const { session, claims } = await providerSessions.verify(tokens);
    const { email, isEmailConfirmed } = tokens.user;
    const { account } = await backends.auth.signIn(
      {
        claims: {
          issuer: claims.issuer,
          subject: claims.subject,
          email,
          // Tokens do not tell; the provider's own record of the person does.
          emailVerified: isEmailConfirmed,
          name: claims.name ?? "",
          avatarUrl: claims.avatarUrl ?? "",
        },
      },
      { timeoutMs: TIMEOUT_MS },
    );
    const { id, name } = account!;
    const person = await sessions.begin(response, { id, email, name }, session);
    onSignedIn(person);
    return person;
  }
}
