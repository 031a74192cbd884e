/** What a user's request came with. A session is a person signed in on our own pages. */
export type UserCredentialKind = "api_key" | "connector" | "session";

/** The user a call acts for, as asserted by the gateway or the pages. */
export interface UserIdentity {
  /** UUID of the account. */
  readonly accountId: string;
  readonly credentialKind: UserCredentialKind;
  /** UUID of the key, client id of the connector, or id of the session. */
  readonly credentialId: string;
  /** Permissions: `service.read`, `nutrition.write`. */
  readonly scopes: readonly string[];
}

/** What a handler knows about the call it answers. Identities have been verified. */
export interface CallContext {
  /** Name of the calling service. */
  readonly caller: string;
  /** Undefined for background work and operators. */
  readonly user: UserIdentity | undefined;
  /** A signed assertion of `user` to pass on with `onBehalfOf`; only methods that need one get it. */
  readonly userAssertion: string | undefined;
  /** W3C trace context of the caller's span. */
  readonly traceparent: string | undefined;
  /** Aborted at the deadline, or when the caller gave up. */
  readonly signal: AbortSignal;
  /** Time until the deadline in milliseconds; 0 or less when it has passed. */
  remainingMs(): number;
}
