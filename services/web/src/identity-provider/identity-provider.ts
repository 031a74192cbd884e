/**
 * What the pages need of the service at which people sign in and assistants get their tokens. The pages
 * know nothing else of it; each provider has a folder beside this file with an adapter.
 *
 * Every method rejects with the failure `providerUnavailable` (./provider-unavailable.ts) when the provider
 * cannot be reached within a few seconds, fails, or answers something unexpected. What a person or an
 * assistant did wrong is a result, never a rejection.
 */
export interface IdentityProvider {
  /** `too_many_attempts` when the provider slows attempts down; anything else unknown is `wrong_credentials`. */
  signInWithPassword(
    credentials: { readonly email: string; readonly password: string },
    clientAddress: ClientAddress,
  ): Promise<SignedIn | ProviderRefusal<SignInRefusal>>;

  /**
   * Address at which a browser signs in with a third party. It returns to `trip.redirectTo` with the
   * parameter `code` for `exchangeCode`, or without one when the person declined.
   *
   * @param thirdParty the provider's name of it, one of `SIGN_IN_PROVIDERS`
   */
  thirdPartyUrl(thirdParty: string, trip: ReturnTrip): string;

  /**
   * Ends a return trip: exchanges the code for a session. `verifier` is the PKCE verifier of the trip's
   * challenge (RFC 7636). Undefined when the code is unknown, used or too old.
   */
  exchangeCode(
    code: { readonly code: string; readonly verifier: string },
    clientAddress: ClientAddress,
  ): Promise<SignedIn | undefined>;

  /**
   * Makes an account. The person is signed in at once, or has to follow the link in a mail, which is a
   * return trip (`confirm`). For an address that has an account the answer must not tell so.
   */
  signUp(
    person: { readonly email: string; readonly password: string },
    trip: MailTrip,
  ): Promise<SignedIn | { readonly kind: "confirm" } | ProviderRefusal<SignUpRefusal>>;

  /**
   * Sends a mail with a link to set a new password, a return trip, if the address has an account. The
   * caller does not wait for it, as its duration or result could tell who has one.
   */
  requestRecovery(email: string, trip: MailTrip): Promise<void>;

  /**
   * Sends the mail to confirm an address once more, if there is an account that waits for it. Like
   * `requestRecovery`, it must not tell who has one.
   */
  resendConfirmation(email: string, trip: MailTrip): Promise<void>;

  /**
   * Uses the token of a link in a mail or of an invitation, which works in any browser and once.
   * Undefined when it is unknown, used or too old.
   */
  openMailLink(link: MailLink, clientAddress: ClientAddress): Promise<SignedIn | undefined>;

  /** Makes a token with which the owner of the address signs in for the first time (`openMailLink`). */
  invite(email: string, redirectTo: string): Promise<Invitation>;

  /** Sets a new password for a person who has just come through a recovery mail; undefined when done. */
  setPassword(
    accessToken: string,
    request: { readonly password: string; readonly clientAddress: ClientAddress },
  ): Promise<PasswordRefusal | undefined>;

  /**
   * A session with new tokens of the same subject; undefined when the provider has ended it. Each refresh
   * token works once. Rejects when the provider slows renewals down: the session has not ended then.
   */
  renewSession(
    session: ProviderSession,
    clientAddress: ClientAddress,
  ): Promise<ProviderSession | undefined>;

  /**
   * How the session began, as `ProviderIdentity.authenticationMethods` says it, of a token that was
   * verified before; empty when the token does not tell.
   */
  authenticationMethodsOf(accessToken: string): readonly string[];

  /**
   * Ends this session at the provider, and only this one: the person's other sessions there include those
   * of assistants. One that has ended already is no error.
   */
  endSession(accessToken: string): Promise<void>;

  /**
   * Deletes the person with all their sessions and approvals; `deleted` also when there is none.
   * `not_allowed` when this service has no key of an administrator.
   */
  deletePerson(subject: string): Promise<"deleted" | "not_allowed">;

  /**
   * Inspects the authorization request of an assistant, which binds it to the person. It is called only
   * once for a request: some providers answer a second look with `answered`. A provider that remembers an
   * earlier approval may answer a redirect with a code at once.
   */
  inspectAuthorization(
    accessToken: string,
    authorizationId: string,
  ): Promise<AuthorizationRequest | AuthorizationRedirect | AuthorizationRefusal>;

  /** Tells the provider what the person decided. */
  decideAuthorization(
    accessToken: string,
    decision: { readonly id: string; readonly action: "approve" | "deny" },
  ): Promise<AuthorizationRedirect | AuthorizationRefusal>;

  /** Ids of the assistants that the provider remembers an approval of; undefined without a session. */
  listApprovedClients(accessToken: string): Promise<string[] | undefined>;

  /**
   * Forgets the approval of an assistant and ends its sessions. True also when there was none; false
   * without a session.
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
   * A token of the person's own. An adapter must have verified its signature, issuer, audience and times,
   * and that it is no assistant's (`client_id`) and no anonymous user's: an assistant's token must never
   * become a session of the pages. It rejects those with the failure `permission_denied`.
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

/** What the provider vouches for. Accounts are bound to `issuer` and `subject`. */
export interface ProviderIdentity {
  /** The `iss` of the person's tokens. */
  readonly issuer: string;
  readonly subject: string;
  /** Empty without one. */
  readonly email: string;
  /**
   * Whether the provider itself has confirmed that the address is the person's. Never from what a person
   * can edit: an operator's account is handed over by a confirmed address.
   */
  readonly isEmailConfirmed: boolean;
  /** For display; people choose it themselves. Empty without one. */
  readonly name: string;
  /** For display. Empty without one. */
  readonly avatarUrl: string;
  /** How the session began, such as `password` and `oauth` (RFC 8176); latest first. */
  readonly authenticationMethods: readonly string[];
}

export interface ProviderRefusal<Reason> {
  readonly kind: "refused";
  readonly reason: Reason;
}

export type SignInRefusal = "wrong_credentials" | "email_not_confirmed" | "too_many_attempts";

export type PasswordRefusal = "weak_password" | "same_password" | "other";

export type SignUpRefusal =
  | PasswordRefusal
  /** New accounts are not open, to anybody or for this address. */
  | "sign_up_closed"
  | "address_not_allowed"
  /** The address cannot receive mail, or is none. */
  | "address_unusable"
  | "address_malformed";

/** Where the browser returns to, and the PKCE challenge (S256) that binds the return to this browser. */
export interface ReturnTrip {
  readonly redirectTo: string;
  readonly codeChallenge: string;
}

/** What a link in a mail is for. */
export type MailLinkType = "signup" | "recovery" | "invite";

export interface MailLink {
  readonly type: MailLinkType;
  readonly tokenHash: string;
}

/** An invitation, or why there is none: this service has no key of an administrator, for example. */
export type Invitation =
  | { readonly kind: "invited"; readonly tokenHash: string }
  | { readonly kind: "already_registered" }
  | { readonly kind: "not_allowed" };

/** A return trip that begins with a mail. */
export interface MailTrip extends ReturnTrip {
  readonly clientAddress: ClientAddress;
}

/** What an assistant asks for. It chooses its name freely, at most 120 characters of which are kept. */
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
