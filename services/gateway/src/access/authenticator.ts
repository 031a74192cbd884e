import type { IncomingHttpHeaders } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import { FairQueue } from "@nutrition/core/fair-queue";
import { networkOf } from "@nutrition/core/network";

import type { AuthClient, Authentication } from "../clients/auth-client.ts";
import { REQUESTS_OPEN_MAX } from "../http/server.ts";
import type { Principal } from "../domain/principal.ts";
import type { AccessTokenVerifier } from "./access-tokens.ts";
import type { Challenger } from "./challenge.ts";
import type { Credential } from "./credential.ts";
import type { CredentialCache } from "./credential-cache.ts";
import { isWellFormed, readCredential } from "./credential.ts";
import { SlowedNetworks } from "./slowed-networks.ts";

/** The parts of a request that say who it is from. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** Address of the client; empty when unknown. */
  readonly ip: string;
  /** Aborts when the client has hung up. */
  readonly signal?: AbortSignal;
}

/**
 * Credentials that were not good lately are checked in turn by network. Nobody is refused for the
 * company they keep: as many may wait as there can be requests.
 */
const CHECKS = {
  slots: 64,
  slotsPerKey: 8,
  waitingMax: REQUESTS_OPEN_MAX,
  waitingPerKeyMax: REQUESTS_OPEN_MAX,
};

export interface AuthenticatorOptions {
  auth: AuthClient;
  accessTokens: AccessTokenVerifier;
  challenger: Challenger;
  cache: CredentialCache;
  clock: Clock;
}

/** Tells who a request is from. Rejects with an `HttpRefusal` or a backend's `Failure`. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #checks = new FairQueue(CHECKS);
  readonly #slowed: SlowedNetworks;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#slowed = new SlowedNetworks(options.clock);
  }

  /** For reads: what was true at most 4 s ago. */
  async authenticate(caller: Caller): Promise<Principal> {
    const credential = this.#credentialOf(caller);
    const answer = await this.#options.cache.find(nameOf(credential), (wasGood) =>
      wasGood ? this.#ask(credential, caller.ip) : this.#askInTurn(credential, caller),
    );
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
    const { challenger } = this.#options;
    if ("code" in credential) throw challenger.unusable(credential);
    if (!isWellFormed(credential)) throw challenger.refused(credential.kind, "invalid");
    return credential;
  }

  async #askInTurn(credential: Credential, { ip, signal }: Caller): Promise<Authentication> {
    const network = networkOf(ip);
    await this.#slowed.pause(network);
    const answer = await this.#checks.run(network, () => this.#ask(credential, ip), signal);
    if ("refusal" in answer) this.#slowed.add(network);
    return answer;
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
