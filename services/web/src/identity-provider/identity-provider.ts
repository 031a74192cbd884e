/**
 * Everything that the pages need from the service at which people sign in and assistants get their tokens.
 * Each provider has an adapter in a folder beside this file. Every method rejects with the failure
 * `providerUnavailable` (./provider-unavailable.ts) if the provider cannot be reached within a few seconds,
 * fails, or sends an unexpected answer. Mistakes of a person or an assistant are results, never rejections.
 */
export interface IdentityProvider {
  /**
   * `too_many_attempts` if the provider limits the rate of attempts; `wrong_credentials` for any other
   * unknown refusal.
   */
  signInWithPassword(
    credentials: { readonly email: string; readonly password: string },
    clientAddress: ClientAddress,
  ): Promise<SignedIn | ProviderRefusal<SignInRefusal>>;

  /**
   * Address at which a browser signs in with a third party. The browser returns to `trip.redirectTo` with the
   * parameter `code` for `exchangeCode`, or with what `readThirdPartyFailure` reads. `thirdParty` is the
   * provider's name for it, one of `SIGN_IN_PROVIDERS`.
   */
  thirdPartyUrl(thirdParty: string, trip: ReturnTrip): string;

  /** Why a return trip from a third party has no code. Anybody can forge the parameters of its address. */
  readThirdPartyFailure(parameter: (name: string) => string): ThirdPartyFailure;

  /**
   * Completes a third-party sign-in: exchanges the code for a session. Undefined if the code is unknown, used
   * or expired.
   */
  exchangeCode(code: ReturnCode, clientAddress: ClientAddress): Promise<SignedIn | undefined>;

  /**
   * Whether new addresses are confirmed by mail. If not, `signUp` needs a password and signs the person in at
   * once.
   */
  confirmsByMail(): Promise<boolean>;

  /**
   * Creates an account. Unless the person is signed in at once, they must follow the link in a mail, which is a
   * return trip (`confirm`). Without a password, nobody knows it before one is set after that link. The answer
   * must not reveal whether the address has an account or waits for its confirmation, even if no mail is sent
   * because the provider has sent too many.
   */
  signUp(
    person: { readonly email: string; readonly password?: string },
    trip: MailTrip,
  ): Promise<SignedIn | { readonly kind: "confirm" } | ProviderRefusal<SignUpRefusal>>;

  /**
   * When the provider last sent no mail because it had sent too many for everybody; undefined if it has not
   * happened since the start.
   */
  readonly mailQuotaRefusedAt: Date | undefined;

  /**
   * Sends a mail with a link to set a new password, a return trip, if the address has an account. Callers
   * must not await it: its duration or result could reveal whether there is one.
   */
  requestRecovery(email: string, trip: MailTrip): Promise<void>;

  /**
   * Sends the confirmation mail again if an account with this address awaits confirmation. Like
   * `requestRecovery`, it must not reveal whether there is one.
   */
  resendConfirmation(email: string, trip: MailTrip): Promise<void>;

  /**
   * Uses a link in a mail or an invitation, which works once and proves that the address is the person's. Their
   * password may be a stranger's, who signed up with the address before them: it is replaced with one that
   * nobody knows, which ends their other sessions at the provider. The returned session may set a password.
   * Undefined if the link is unknown, used or expired.
   */
  openMailLink(
    link: MailLink | ReturnCode,
    clientAddress: ClientAddress,
  ): Promise<SignedIn | undefined>;

  /** Creates a token with which the owner of the address signs in for the first time (`openMailLink`). */
  invite(email: string, redirectTo: string): Promise<Invitation>;

  /**
   * Sets a new password in the session of `openMailLink`; undefined on success, also if it is set already.
   */
  setPassword(
    accessToken: string,
    request: { readonly password: string; readonly clientAddress: ClientAddress },
  ): Promise<PasswordRefusal | undefined>;

  /**
   * A session with new tokens of the same subject; undefined if the provider has ended it. Each refresh token
   * works once. Rejects if the provider limits the rate of renewals, because the session has not ended then.
   */
  renewSession(
    session: ProviderSession,
    clientAddress: ClientAddress,
  ): Promise<ProviderSession | undefined>;

  /**
   * How the session of a verified token began, as in `ProviderIdentity.authenticationMethods`; empty if the
   * token does not say.
   */
  authenticationMethodsOf(accessToken: string): readonly string[];

  /**
   * Ends this session at the provider, and no other: the person's sessions there include those of assistants.
   * A session that has already ended is not an error.
   */
  endSession(accessToken: string): Promise<void>;

  /**
   * Deletes the person with all their sessions and approvals; `deleted` also if there is no such person.
   * `not_allowed` if this service has no administrator's key.
   */
  deletePerson(subject: string): Promise<"deleted" | "not_allowed">;

  /**
   * Inspects an assistant's authorization request, which binds the request to the person. Call it only once
   * for each request: some providers return `answered` the second time. A provider that remembers an earlier
   * approval may return a redirect with a code at once.
   */
  inspectAuthorization(
    accessToken: string,
    authorizationId: string,
  ): Promise<AuthorizationRequest | AuthorizationRedirect | AuthorizationRefusal>;

  /** Sends the person's decision to the provider. */
  decideAuthorization(
    accessToken: string,
    decision: { readonly id: string; readonly action: "approve" | "deny" },
  ): Promise<AuthorizationRedirect | AuthorizationRefusal>;

  /** Ids of the assistants whose approval the provider remembers; undefined without a session. */
  listApprovedClients(accessToken: string): Promise<string[] | undefined>;

  /**
   * Deletes the approval of an assistant and ends its sessions. True also if there was none; false without a
   * session.
   */
  deleteApproval(accessToken: string, clientId: string): Promise<boolean>;
}

/** IP address of the visitor, by which the provider limits attempts; undefined when unknown. */
export type ClientAddress = string | undefined;

/** A person's session at the provider. */
export interface ProviderSession {
  /** The person at the provider, the `sub` of their tokens; it never changes. */
  readonly subject: string;
  /**
   * The person's own token. The adapter must verify its signature, issuer, audience and times, and that it
   * belongs neither to an assistant (`client_id`) nor to an anonymous user: an assistant's token must never
   * become a session of the pages. The adapter rejects such tokens with the failure `permission_denied`.
   */
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Unix time in seconds. */
  readonly accessExpiresAt: number;
}

/** The outcome of a sign-in: a session, and who the person is. */
export interface SignedIn {
  readonly kind: "signed_in";
  readonly session: ProviderSession;
  readonly identity: ProviderIdentity;
}

/**
 * - `declined`: the person turned back.
 * - `address_unconfirmed`: the third party has not confirmed the address; the provider sent a mail to confirm it.
 * - `sign_up_closed`: the provider creates no accounts.
 * - `blocked`: an operator blocked the person at the provider.
 * - `failed`: anything else, such as wrong settings of the third party.
 */
export type ThirdPartyFailure =
  "declined" | "address_unconfirmed" | "sign_up_closed" | "blocked" | "failed";

/** The person's identity, as asserted by the provider. Accounts are bound to `issuer` and `subject`. */
export interface ProviderIdentity {
  /** The `iss` of the person's tokens. */
  readonly issuer: string;
  readonly subject: string;
  /** Empty without one. */
  readonly email: string;
  /**
   * Whether the provider itself has confirmed that the address is the person's. Never taken from data that
   * the person can edit: a confirmed address gives access to an account that an operator created.
   */
  readonly isEmailConfirmed: boolean;
  /** For display; people choose it themselves. Empty without one. */
  readonly name: string;
  /** For display. Empty without one. */
  readonly avatarUrl: string;
  /** How the session began, such as `password` and `oauth` (RFC 8176); latest first. */
  readonly authenticationMethods: readonly string[];
  /**
   * Whether a stranger may have chosen the person's password: it is older than the link in a mail with which the
   * person confirmed the address.
   */
  readonly isPasswordUnproven: boolean;
}

export interface ProviderRefusal<Reason> {
  readonly kind: "refused";
  readonly reason: Reason;
}

export type SignInRefusal = "wrong_credentials" | "email_not_confirmed" | "too_many_attempts";

/** `session_ended` if the session of the link has ended, for example because a newer link was used. */
export type PasswordRefusal = "weak_password" | "session_ended" | "other";

export type SignUpRefusal =
  | "weak_password"
  | "too_many_attempts"
  | "other"
  /** Sign-ups are closed, for everybody or for this address. */
  | "sign_up_closed"
  | "address_not_allowed"
  /** The address cannot receive mail, or is not an e-mail address. */
  | "address_unusable"
  | "address_malformed";

/** The address to return to, and the PKCE challenge (S256) that binds the return to this browser. */
export interface ReturnTrip {
  readonly redirectTo: string;
  readonly codeChallenge: string;
}

/** The code with which a return trip ends, and the PKCE verifier of the trip's challenge (RFC 7636). */
export interface ReturnCode {
  readonly code: string;
  readonly verifier: string;
}

/** Purpose of a link in a mail. */
export type MailLinkType = "signup" | "recovery" | "invite";

export interface MailLink {
  readonly type: MailLinkType;
  readonly tokenHash: string;
}

/** An invitation, or the reason why there is none, such as a missing administrator's key. */
export type Invitation =
  | { readonly kind: "invited"; readonly tokenHash: string }
  | { readonly kind: "already_registered" }
  | { readonly kind: "not_allowed" };

/** A return trip that begins with a mail. */
export interface MailTrip extends ReturnTrip {
  readonly clientAddress: ClientAddress;
}

/** An assistant's request. The assistant chooses its name freely; at most 120 characters are kept. */
export interface AuthorizationRequest {
  readonly kind: "details";
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
}

/** A redirect to the assistant with a code or an error. */
export interface AuthorizationRedirect {
  readonly kind: "redirect";
  readonly redirectUrl: string;
}

/**
 * Why an authorization request cannot be processed: it expired or belongs to another person, it was
 * answered before, or the person's session has ended.
 */
export interface AuthorizationRefusal {
  readonly kind: "gone" | "answered" | "signed_out";
}
