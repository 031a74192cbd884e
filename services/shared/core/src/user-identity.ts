/** Credential of a user's request. A session is a person signed in on our own pages. */
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
