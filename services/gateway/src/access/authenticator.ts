import type { IncomingHttpHeaders } from "node:http";

import type { AuthClient, Authentication } from "../clients/auth-client.ts";
import type { Principal } from "./principal.ts";
import type { AccessTokenVerifier } from "./access-tokens.ts";
import type { Challenger } from "./challenge.ts";
import type { Credential } from "./credential.ts";
import type { CredentialCache } from "./credential-cache.ts";
import { readCredential } from "./credential.ts";

/** The parts of a request that say who it is from. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** Address of the client; empty when unknown. */
  readonly ip: string;
}

export interface AuthenticatorOptions {
  auth: AuthClient;
  accessTokens: AccessTokenVerifier;
  challenger: Challenger;
  cache: CredentialCache;
}

/** Tells who a request is from. Rejects with an `HttpRefusal` or a backend's `Failure`. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** For reads: what was true at most 4 s ago. */
  async authenticate(caller: Caller): Promise<Principal> {
    const credential = this.#credentialOf(caller);
    const ask = () => this.#ask(credential, caller.ip);
    const answer = await this.#options.cache.find(nameOf(credential), ask);
    return this.#principalOf(credential, answer);
  }

  /** For writes: what is true now. */
  async authenticateNow(caller: Caller): Promise<Principal> {
    const credential = this.#credentialOf(caller);
    const ask = () => this.#ask(credential, caller.ip);
    const answer = await this.#options.cache.refresh(nameOf(credential), ask);
    return this.#principalOf(credential, answer);
  }

  /** Lets the next request with an API key that was revoked here ask about it anew. */
  forgetKey(apiKey: string): void {
    this.#options.cache.forget(nameOf({ kind: "api_key", text: apiKey }));
  }

  #credentialOf(caller: Caller): Credential {
    const credential = readCredential(caller.headers);
    if ("code" in credential) throw this.#options.challenger.unusable(credential);
    return credential;
  }

  #ask(credential: Credential, ip: string): Promise<Authentication> {
    return credential.kind === "api_key"
      ? this.#options.auth.authenticate(credential.text, ip)
      : this.#options.accessTokens.verify(credential.text);
  }

  #principalOf(credential: Credential, answer: Authentication): Principal {
    if ("refusal" in answer) {
      throw this.#options.challenger.refused(credential.kind, answer.refusal);
    }
    return answer.principal;
  }
}

/** The same text is one thing as a key and another as a token. */
function nameOf({ kind, text }: Credential): string {
  return `${kind} ${text}`;
}
