import type { Clock } from "@nutrition/core/clock";
import { providerMailsMissing } from "@nutrition/telemetry/metrics/nutrition";

import type { MailTrip } from "../identity-provider.ts";
import type { MissingMailReason } from "./missing-mail.ts";
import { MISSING_MAIL_REASONS, reasonOfMissingMail } from "./missing-mail.ts";
import type { TokenAnswer } from "./sign-in-calls.ts";
import { challengeOf, tokenAnswer, tokenAnswerOf } from "./sign-in-calls.ts";
import type { SupabaseAnswer, SupabaseApi } from "./supabase-api.ts";

/** The calls that send a mail. Counts the mails that Supabase does not send. */
export class MailCalls {
  readonly #api: SupabaseApi;
  readonly #clock: Clock;
  #quotaRefusedAt: Date | undefined;

  constructor(api: SupabaseApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    // So that the first missing mail is an increase.
    for (const reason of MISSING_MAIL_REASONS) count(reason, 0);
  }

  /** See `IdentityProvider.mailQuotaRefusedAt`. */
  get quotaRefusedAt(): Date | undefined {
    return this.#quotaRefusedAt;
  }

  /**
   * Creates a user, who is signed in at once or must confirm the address by mail (`confirm`). That also covers
   * a mail that was not sent, because Supabase reports this only for addresses without a confirmed account.
   */
  async signUp(
    person: { readonly email: string; readonly password: string },
    trip: MailTrip,
  ): Promise<TokenAnswer | { readonly kind: "confirm" }> {
    const answer = await this.#call("/signup", person, trip);
    const isSignedIn = tokenAnswer.safeParse(answer.body).success;
    const isAccepted = answer.errorCode === "" && !isSignedIn;
    if (isAccepted || reasonOfMissingMail(answer) !== undefined) return { kind: "confirm" };
    return tokenAnswerOf(answer);
  }

  /**
   * See `IdentityProvider.requestRecovery`. Ignores Supabase's answer, which would reveal who has an account.
   */
  async requestRecovery(email: string, trip: MailTrip): Promise<void> {
    await this.#call("/recover", { email }, trip);
  }

  /** See `IdentityProvider.resendConfirmation`. Releases before v2.189.0 ignore the PKCE challenge. */
  async resendConfirmation(email: string, trip: MailTrip): Promise<void> {
    await this.#call("/resend", { type: "signup", email }, trip);
  }

  async #call(
    path: "/signup" | "/recover" | "/resend",
    fields: Readonly<Record<string, string>>,
    { redirectTo, codeChallenge, clientAddress }: MailTrip,
  ): Promise<SupabaseAnswer> {
    const query = new URLSearchParams({ redirect_to: redirectTo });
    const body = { ...fields, ...challengeOf({ codeChallenge }) };
    const request = { body, clientAddress, mayAnswer500: true };
    const answer = await this.#api.call("POST", `${path}?${query.toString()}`, request);
    const reason = reasonOfMissingMail(answer);
    if (reason !== undefined) count(reason, 1);
    if (reason === "quota") this.#quotaRefusedAt = this.#clock.now();
    return answer;
  }
}

function count(reason: MissingMailReason, mails: number): void {
  providerMailsMissing.add(mails, { "nutrition.mail.reason": reason });
}
