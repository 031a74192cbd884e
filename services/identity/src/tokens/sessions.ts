import { randomBytes, randomUUID } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";

import type { Directory } from "../records/directory.ts";
import type { Session, SessionOrigin } from "../records/records.ts";

/** Period in which the reuse of a replaced refresh token is treated as a lost response. */
const REUSE_GRACE_MS = 10_000;
const RETIRED_KEPT = 20;

export interface SessionsOptions {
  directory: Directory;
  clock: Clock;
}

/** Begins and renews sessions. */
export class Sessions {
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor({ directory, clock }: SessionsOptions) {
    this.#directory = directory;
    this.#clock = clock;
  }

  begin(origin: SessionOrigin): Session {
    const now = this.#clock.now().toISOString();
    const session: Session = {
      ...origin,
      id: randomUUID(),
      authenticatedAt: now,
      refreshToken: newToken(),
      retired: [],
    };
    this.#directory.insertSession(session);
    const user = this.#directory.getUser(origin.userId);
    if (user && origin.clientId === undefined) user.lastSignInAt = now;
    return session;
  }

  /**
   * Rotates the session's refresh token. Reuse of a token that was just replaced, or whose
   * successor is unused, is treated as a lost response and changes nothing. Reuse of an older one
   * indicates theft and ends the session.
   */
  refresh(
    token: string,
    clientId: string | undefined,
  ): Session | "unknown" | "other_client" | "reused" {
    const session = this.#directory.findSessionByRefreshToken(token);
    if (!session) return "unknown";
    if (session.clientId !== clientId) return "other_client";
    if (session.refreshToken === token) {
      const retiredAt = this.#clock.now().toISOString();
      session.retired = [{ token, retiredAt }, ...session.retired].slice(0, RETIRED_KEPT);
      session.refreshToken = newToken();
      return session;
    }
    if (this.#isLostAnswer(session, token)) return session;
    this.#directory.deleteSessions(({ id }) => id === session.id);
    return "reused";
  }

  #isLostAnswer({ retired }: Session, token: string): boolean {
    const [latest] = retired;
    const found = retired.find((one) => one.token === token);
    if (!found) return false;
    const ageMs = this.#clock.now().getTime() - Date.parse(found.retiredAt);
    return found === latest || ageMs <= REUSE_GRACE_MS;
  }
}

function newToken(): string {
  return randomBytes(18).toString("base64url");
}
