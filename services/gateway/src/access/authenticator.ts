import type { IncomingHttpHeaders } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import { FairQueue } from "@nutrition/core/fair-queue";
import { networkOf } from "@nutrition/core/network";
import type { CallScope } from "@nutrition/rpc/call-scope";

import type { AuthClient, Authentication } from "../clients/auth-client.ts";
import { CONNECTIONS_MAX } from "../http/connections.ts";
import { Pace } from "../http/pace.ts";
import type { Principal } from "../domain/principal.ts";
import type { AccessTokenVerifier } from "./access-tokens.ts";
import type { Challenger } from "./challenge.ts";
import type { Credential, WellFormedCredential } from "./credential.ts";
import type { CredentialCache } from "./credential-cache.ts";
import { parseCredential, readCredential } from "./credential.ts";
import type { SignedKeys } from "./signed-keys.ts";

/** The parts of a request that identify its caller. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** Address of the client; empty when unknown. */
  readonly ip: string;
  /** Cancelled when the client disconnects. */
  readonly calls?: CallScope;
}

/**
 * Credentials without a recent positive answer are verified by network in turn. The queue has room for every
 * open request, so no client is refused because of others in its network.
 */
const CHECKS = {
  slots: 64,
  slotsPerKey: 8,
  // The requests of a connection are served one after the other.
  waitingMax: CONNECTIONS_MAX,
  waitingPerKeyMax: CONNECTIONS_MAX,
};
/**
 * While a network sends invalid credentials, its others are looked up in batches: a flood becomes slower and each of
 * its lookups cheaper.
 */
const LOOKUP_PACE = { freePerSecond: 0, pauseMs: 20 };

/** Time for which a request's own authentication also holds for its write; its body may arrive later. */
const CURRENT_MS = 1_000;

/** A caller whose credential is valid. */
export interface Authenticated {
  readonly principal: Principal;
  /** When this request asked; undefined if it did not, or if another request asked for it. */
  readonly askedAtMs: number | undefined;
}

export interface AuthenticatorOptions {
  auth: AuthClient;
  accessTokens: AccessTokenVerifier;
  challenger: Challenger;
  cache: CredentialCache;
  /** Verifies signed keys; without it, all keys are looked up. */
  signedKeys?: SignedKeys | undefined;
  clock: Clock;
}

/**
 * Authenticates the caller of a request. Rejects with an `HttpRefusal` or a backend's `Failure`.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #checks = new FairQueue(CHECKS);
  readonly #pace: Pace;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#pace = new Pace(LOOKUP_PACE, options.clock);
  }

  /** Authenticates a read with what was known at most 4 s ago. A signed key does not reveal the account's entitlements. */
  async authenticate(caller: Caller): Promise<Authenticated> {
    const credential = this.#credentialOf(caller);
    const verified = this.#verify(credential, caller);
    return verified ?? this.#lookUp(credential, caller);
  }

  /** Like `authenticate`, with the account's entitlements. */
  authenticateInFull(caller: Caller): Promise<Authenticated> {
    return this.#lookUp(this.#credentialOf(caller), caller);
  }

  async #lookUp(credential: Credential, caller: Caller): Promise<Authenticated> {
    const { cache, clock } = this.#options;
    let askedAtMs: number | undefined;
    const answer = await cache.find(nameOf(credential), (wasGood) => {
      askedAtMs = clock.monotonicMs();
      return wasGood ? this.#ask(credential, caller.ip) : this.#askInTurn(credential, caller);
    });
    return { principal: this.#principalOf(credential, answer, caller), askedAtMs };
  }

  /** For writes: always current. Asks again unless this request itself asked less than a second ago. */
  async authenticateNow(
    caller: Caller,
    { principal, askedAtMs = -Infinity }: Authenticated,
  ): Promise<Principal> {
    if (this.#options.clock.monotonicMs() - askedAtMs < CURRENT_MS) return principal;
    const credential = this.#credentialOf(caller);
    const ask = () => this.#ask(credential, caller.ip);
    const answer = await this.#options.cache.refresh(nameOf(credential), ask);
    return this.#principalOf(credential, answer, caller);
  }

  /** Makes the next request with this API key look it up again, after a revocation by this instance. */
  forgetKey(apiKey: string): void {
    this.#options.cache.forget(nameOf({ kind: "api_key", text: apiKey }));
    this.#options.signedKeys?.forget(apiKey);
  }

  #credentialOf(caller: Caller): WellFormedCredential {
    const credential = readCredential(caller.headers);
    const { challenger } = this.#options;
    const { host } = caller.headers;
    if ("code" in credential) throw challenger.unusable(credential, host);
    const parsed = parseCredential(credential);
    if (!parsed) throw challenger.refused(credential.kind, "invalid", host);
    return parsed;
  }

  /** Undefined if the credential must be looked up. */
  #verify({ key }: WellFormedCredential, { ip }: Caller): Authenticated | undefined {
    const verified = key && this.#options.signedKeys?.verify(key, ip);
    return verified && { principal: verified, askedAtMs: undefined };
  }

  async #askInTurn(credential: Credential, { ip, calls }: Caller): Promise<Authentication> {
    const network = networkOf(ip);
    await this.#pace.turn(network);
    const answer = await this.#checks.run(network, () => this.#ask(credential, ip), calls?.signal);
    if ("refusal" in answer) this.#pace.add(network);
    return answer;
  }

  #ask(credential: Credential, ip: string): Promise<Authentication> {
    return credential.kind === "api_key"
      ? this.#options.auth.authenticate(credential.text, ip)
      : this.#options.accessTokens.verify(credential.text);
  }

  #principalOf({ kind }: Credential, answer: Authentication, { headers }: Caller): Principal {
    if ("refusal" in answer) {
      throw this.#options.challenger.refused(kind, answer.refusal, headers.host);
    }
    return answer.principal;
  }
}

/** The same text is a different credential as a key than as a token. */
function nameOf({ kind, text }: Credential): string {
  return `${kind} ${text}`;
}
