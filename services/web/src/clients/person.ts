import type { UserIdentity } from "@nutrition/core/user-identity";
import type { CallScope } from "@nutrition/rpc/call-scope";

/** The person signed in on the pages. */
export interface Person {
  /** User identity for calls to services: a session, which may manage keys, grants and settings. */
  readonly user: UserIdentity;
  /** The person's subject at the identity provider. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  /** The person's own token of the identity provider. Never sent to anyone else. */
  readonly accessToken: string;
  /** Calls to other services made for this visit. */
  readonly calls: CallScope;
}
