import type { JWK } from "jose";

import type { Registration } from "../domain/registration.ts";

/** A person. */
export interface User {
  id: string;
  /** Lower case. */
  email: string;
  /** Absent when the person has only signed in with third parties. */
  passwordHash?: string;
  /** When the person proved ownership of the address. */
  emailConfirmedAt?: string;
  /** When the last link to confirm the address was made, until a password is set. */
  confirmationSentAt?: string;
  /** When the last link to a new password was sent, until a password is set. */
  recoverySentAt?: string;
  invitedAt?: string;
  /** Sign-in methods such as `email` and `google`, oldest first. */
  providers: string[];
  /** Claims that the person can change. */
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  lastSignInAt?: string;
}

/** A registered OAuth client. */
export interface Client extends Registration {
  id: string;
  /** SHA-256 in base64url; absent for a public client. */
  secretHash?: string;
  createdAt: string;
}

/** Origin of a session, as stated in its tokens. */
export interface SessionOrigin {
  userId: string;
  /** Authentication method of the `amr` claim. */
  method: string;
  /** The client of the session; absent for the person's own session. */
  clientId?: string;
  /** Scopes of the client; empty for the person's own session. */
  scopes: string[];
}

export interface Session extends SessionOrigin {
  id: string;
  authenticatedAt: string;
  refreshToken: string;
  /** Replaced refresh tokens, newest first. */
  retired: { token: string; retiredAt: string }[];
}

/** A person's grant to a client. */
export interface Grant {
  userId: string;
  clientId: string;
  scopes: string[];
  grantedAt: string;
}

/** A key for signing tokens. */
export interface SigningKeyRecord {
  kid: string;
  /** Private ES256 key. */
  jwk: JWK;
  /** Published but not signing yet. */
  isStandby?: true;
}

/** Everything that survives a restart. */
export interface Snapshot {
  /** The first one signs. */
  keys: SigningKeyRecord[];
  users: User[];
  clients: Client[];
  sessions: Session[];
  grants: Grant[];
}
