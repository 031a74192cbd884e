import type { JWK } from "jose";

import type { Registration } from "../domain/registration.ts";

/** A person. */
export interface User {
  id: string;
  /** In lower case. */
  email: string;
  /** Missing when the person has only ever signed in elsewhere. */
  passwordHash?: string;
  /** When the person proved that the address is theirs. */
  emailConfirmedAt?: string;
  /** Ways to sign in, such as `email` and `google`, the first being the oldest. */
  providers: string[];
  /** Claims that the person may change. */
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  lastSignInAt?: string;
}

/** A program that registered itself. */
export interface Client extends Registration {
  id: string;
  /** SHA-256 in base64url; missing for a public client. */
  secretHash?: string;
  createdAt: string;
}

/** What a session's tokens tell of where it came from. */
export interface SessionOrigin {
  userId: string;
  /** Authentication method of the `amr` claim. */
  method: string;
  /** The client that the session is for; none for the person's own. */
  clientId?: string;
  /** What the client may learn; empty for the person's own session. */
  scopes: string[];
}

export interface Session extends SessionOrigin {
  id: string;
  authenticatedAt: string;
  refreshToken: string;
  /** Refresh tokens that gave way to newer ones, the newest first. */
  retired: { token: string; retiredAt: string }[];
}

/** What a person allowed a client. */
export interface Grant {
  userId: string;
  clientId: string;
  scopes: string[];
  grantedAt: string;
}

/** A key that tokens are signed with. */
export interface SigningKeyRecord {
  kid: string;
  /** Private ES256 key. */
  jwk: JWK;
  /** Published, and not yet signing. */
  isStandby?: true;
}

/** Everything that outlives a restart. */
export interface Snapshot {
  /** The first one signs. */
  keys: SigningKeyRecord[];
  users: User[];
  clients: Client[];
  sessions: Session[];
  grants: Grant[];
}
