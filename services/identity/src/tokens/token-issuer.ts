import type { Clock } from "@nutrition/core/clock";
import { errors, jwtVerify } from "jose";

import type { Directory } from "../records/directory.ts";
import type { Session, User } from "../records/records.ts";
import { ACCESS_AUDIENCE, accessClaims, idClaims, withoutSession } from "./claims.ts";
import { ALGORITHM, type SigningKeys } from "./signing-keys.ts";

export interface TokenIssuerOptions {
  issuer: string;
  keys: SigningKeys;
  directory: Directory;
  clock: Clock;
  accessTokenSeconds: number;
  /** Whether clients' tokens name a session that does not exist. */
  detachClientTokens: boolean;
}

/** The token's user and session. */
export interface Bearer {
  readonly user: User;
  readonly session: Session;
}

/** Reason that a token is rejected. */
export type TokenErrorCode = "bad_jwt" | "session_not_found" | "user_not_found";

/** Issues access and ID tokens, and verifies its own access tokens. */
export class TokenIssuer {
  readonly #options: TokenIssuerOptions;

  constructor(options: TokenIssuerOptions) {
    this.#options = options;
  }

  /** The response of a token endpoint. */
  async answer(user: User, session: Session) {
    const { accessTokenSeconds, detachClientTokens, keys } = this.#options;
    const claims = accessClaims(user, session, this.#context());
    const isDetached = detachClientTokens && session.clientId !== undefined;
    return {
      access_token: await keys.sign(isDetached ? withoutSession(claims) : claims),
      token_type: "bearer",
      expires_in: accessTokenSeconds,
      refresh_token: session.refreshToken,
    };
  }

  /** An ID token for the session's client. */
  idToken(user: User, session: Session, nonce: string): Promise<string> {
    return this.#options.keys.sign(idClaims(user, session, { ...this.#context(), nonce }));
  }

  /** Verifies an access token: the person's own, or a client's that names its session. */
  async read(token: string): Promise<Bearer | TokenErrorCode> {
    const { issuer, keys, directory, clock } = this.#options;
    try {
      const { payload } = await jwtVerify(token, keys.resolver, {
        issuer,
        audience: ACCESS_AUDIENCE,
        algorithms: [ALGORITHM],
        currentDate: clock.now(),
      });
      const user = directory.getUser(payload.sub ?? "");
      if (!user) return "user_not_found";
      const session = directory.getSession(String(payload["session_id"]));
      return session?.userId === user.id ? { user, session } : "session_not_found";
    } catch (error) {
      if (error instanceof errors.JOSEError) return "bad_jwt";
      throw error;
    }
  }

  #context() {
    const { issuer, clock, accessTokenSeconds } = this.#options;
    const issuedAtSeconds = Math.floor(clock.now().getTime() / 1_000);
    return { issuer, issuedAtSeconds, lifetimeSeconds: accessTokenSeconds };
  }
}
