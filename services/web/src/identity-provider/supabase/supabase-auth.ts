import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { supabaseTokens } from "@nutrition/oauth/supabase/supabase-tokens";
import { TokenVerifier } from "@nutrition/oauth/token-verifier";

import type {
  ClientAddress,
  IdentityProvider,
  Invitation,
  MailLink,
  MailTrip,
  PasswordRefusal,
  ProviderSession,
  ProviderRefusal,
  ReturnCode,
  ReturnTrip,
  SignedIn,
  SignInRefusal,
  SignUpRefusal,
  ThirdPartyFailure,
} from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import { deletePerson, invite } from "./admin-calls.ts";
import { MailCalls } from "./mail-calls.ts";
import * as oauth from "./oauth-calls.ts";
import { authenticationMethodsOf, verifyOwn } from "./own-sessions.ts";
import { discardPassword, newRandomPassword, setPassword } from "./passwords.ts";
import { PublicSettings } from "./public-settings.ts";
import {
  exchangeCode,
  openMailLink,
  requestTokens,
  readThirdPartyFailure,
  thirdPartyUrl,
  TOO_MANY,
} from "./sign-in-calls.ts";
import type { SupabaseTokens } from "./sign-in-calls.ts";
import type { SupabaseApiOptions } from "./supabase-api.ts";
import { SupabaseApi } from "./supabase-api.ts";

export interface SupabaseAuthOptions extends SupabaseApiOptions {
  /** As in `TokenVerifierOptions`. */
  realm?: string | undefined;
  /** Required audience of access tokens. */
  audience: string;
  clock: Clock;
  logger: Logger;
}

/** Maps Supabase's codes for refused sign-ups to the pages' refusals; unlisted codes become `other`. */
const SIGN_UP_REFUSALS = new Map<string, SignUpRefusal>([
  ["weak_password", "weak_password"],
  [TOO_MANY, "too_many_attempts"],
  ["signup_disabled", "sign_up_closed"],
  ["email_address_invalid", "address_unusable"],
  ["email_address_not_authorized", "address_not_allowed"],
  ["validation_failed", "address_malformed"],
]);

/** Supabase Auth (GoTrue) with its OAuth 2.1 server, hosted or self-hosted. */
export class SupabaseAuth implements IdentityProvider, Disposable {
  readonly #api: SupabaseApi;
  readonly #settings: PublicSettings;
  readonly #mails: MailCalls;
  readonly #verifier: TokenVerifier;
  readonly #keySet: Disposable;

  /** Fetches the key set of the tokens and keeps it fresh until disposed. */
  constructor(options: SupabaseAuthOptions) {
    const { authUrl: issuer, callUrl, realm, audience, clock, logger } = options;
    this.#api = new SupabaseApi(options);
    this.#settings = new PublicSettings(this.#api, clock);
    this.#mails = new MailCalls(this.#api, clock);
    const addresses = { issuer, callUrl, realm };
    const provider = supabaseTokens;
    this.#verifier = new TokenVerifier({ provider, ...addresses, audience, clock, logger });
    this.#keySet = this.#verifier.keepWarm();
  }

  async signInWithPassword(
    body: { email: string; password: string },
    clientAddress: ClientAddress,
  ): Promise<SignedIn | ProviderRefusal<SignInRefusal>> {
    const answer = await requestTokens(this.#api, "password", { body, clientAddress });
    if (answer.kind === "tokens") return this.#verify(answer.tokens);
    if (answer.code === "email_not_confirmed") return refused("email_not_confirmed");
    return refused(answer.code === TOO_MANY ? "too_many_attempts" : "wrong_credentials");
  }

  thirdPartyUrl(thirdParty: string, trip: ReturnTrip): string {
    return thirdPartyUrl(this.#api, thirdParty, trip);
  }

  readThirdPartyFailure(parameter: (name: string) => string): ThirdPartyFailure {
    return readThirdPartyFailure(parameter);
  }

  async exchangeCode(
    code: ReturnCode,
    clientAddress: ClientAddress,
  ): Promise<SignedIn | undefined> {
    const answer = await exchangeCode(this.#api, code, clientAddress);
    return answer.kind === "tokens" ? this.#verify(answer.tokens) : undefined;
  }

  confirmsByMail(): Promise<boolean> {
    return this.#settings.confirmsByMail();
  }

  async signUp(
    { email, password = newRandomPassword() }: { email: string; password?: string },
    trip: MailTrip,
  ): Promise<SignedIn | { kind: "confirm" } | ProviderRefusal<SignUpRefusal>> {
    const answer = await this.#mails.signUp({ email, password }, trip);
    if (answer.kind === "confirm") return answer;
    if (answer.kind === "tokens") return this.#verify(answer.tokens);
    return refused(SIGN_UP_REFUSALS.get(answer.code) ?? "other");
  }

  get mailQuotaRefusedAt(): Date | undefined {
    return this.#mails.quotaRefusedAt;
  }

  requestRecovery(email: string, trip: MailTrip): Promise<void> {
    return this.#mails.requestRecovery(email, trip);
  }

  resendConfirmation(email: string, trip: MailTrip): Promise<void> {
    return this.#mails.resendConfirmation(email, trip);
  }

  async openMailLink(
    link: MailLink | ReturnCode,
    clientAddress: ClientAddress,
  ): Promise<SignedIn | undefined> {
    const answer =
      "code" in link
        ? await exchangeCode(this.#api, link, clientAddress)
        : await openMailLink(this.#api, link, clientAddress);
    if (answer.kind === "refused") {
      if (answer.code === TOO_MANY) throw providerUnavailable(answer.code);
      return undefined;
    }
    const signedIn = await this.#verify(answer.tokens);
    await discardPassword(this.#api, answer.tokens.accessToken, clientAddress);
    return signedIn;
  }

  invite(email: string, redirectTo: string): Promise<Invitation> {
    return invite(this.#api, email, redirectTo);
  }

  deletePerson(subject: string): Promise<"deleted" | "not_allowed"> {
    return deletePerson(this.#api, subject);
  }

  setPassword(
    token: string,
    request: { password: string; clientAddress: ClientAddress },
  ): Promise<PasswordRefusal | undefined> {
    return setPassword(this.#api, token, request);
  }

  async renewSession(
    { refreshToken, subject }: ProviderSession,
    clientAddress: ClientAddress,
  ): Promise<ProviderSession | undefined> {
    const body = { refresh_token: refreshToken };
    const answer = await requestTokens(this.#api, "refresh_token", { body, clientAddress });
    if (answer.kind === "refused") {
      if (answer.code === TOO_MANY) throw providerUnavailable(answer.code);
      return undefined;
    }
    const { session } = await this.#verify(answer.tokens);
    return session.subject === subject ? session : undefined;
  }

  authenticationMethodsOf(accessToken: string): readonly string[] {
    return authenticationMethodsOf(accessToken);
  }

  async endSession(token: string): Promise<void> {
    await this.#api.call("POST", "/logout?scope=local", { token });
  }

  inspectAuthorization(token: string, authorizationId: string) {
    return oauth.inspectAuthorization(this.#api, token, authorizationId);
  }

  decideAuthorization(token: string, decision: { id: string; action: "approve" | "deny" }) {
    return oauth.decideAuthorization(this.#api, token, decision);
  }

  listApprovedClients(token: string): Promise<string[] | undefined> {
    return oauth.listApprovedClients(this.#api, token);
  }

  deleteApproval(token: string, clientId: string): Promise<boolean> {
    return oauth.deleteApproval(this.#api, token, clientId);
  }

  [Symbol.dispose](): void {
    this.#keySet[Symbol.dispose]();
  }

  #verify(tokens: SupabaseTokens): Promise<SignedIn> {
    return verifyOwn(this.#verifier, tokens);
  }
}

function refused<Reason>(reason: Reason): ProviderRefusal<Reason> {
  return { kind: "refused", reason };
}
