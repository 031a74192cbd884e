import type { Clock } from "@nutrition/core/clock";
import { SingleFlight } from "@nutrition/core/single-flight";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { OwnSession } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { CallScope } from "@nutrition/rpc/call-scope";
import type { Request, Response } from "express";
import { z } from "zod";

import type { Backends } from "../clients/backends.ts";
import { callOptionsFor } from "../clients/call-options.ts";
import type { Person } from "../clients/person.ts";
import type { IdentityProvider, ProviderSession } from "../identity-provider/identity-provider.ts";
import type { SealedCookies } from "./sealed-cookies.ts";
import type { SessionChecks } from "./session-checks.ts";

const PURPOSE = "session";
/** Time without a visit after which a person has to sign in again. */
const SESSION_SECONDS = 14 * 86_400;
/** Remaining lifetime at which an access token is renewed. */
const RENEW_BEFORE_SECONDS = 60;

const sessionShape = z.object({
  id: z.string(),
  accountId: z.string(),
  subject: z.string(),
  email: z.string(),
  name: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  accessExpiresAt: z.number(),
});

type Session = z.infer<typeof sessionShape>;

/** Current state of a session according to the auth service. */
export interface CurrentSession {
  readonly person: Person;
  /** Whether the person signed in within the last 10 minutes. */
  readonly isRecent: boolean;
}

export interface SessionsOptions {
  cookies: SealedCookies;
  provider: Pick<IdentityProvider, "renewSession">;
  auth: Backends["auth"];
  checks: SessionChecks;
  clock: Clock;
}

/**
 * Sessions in an encrypted cookie. The auth service decides whether one is live; this service
 * stores nothing.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** Running renewals by refresh token, so that pages loaded in parallel renew once. */
  readonly #renewals = new SingleFlight<ProviderSession | undefined>();
  /** Content of the browser's cookie, for people found so far. */
  readonly #sessions = new WeakMap<Person, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Stores a session created by the auth service in the browser, replacing an earlier one. */
  async begin(
    response: Response,
    account: { id: string; email: string; name: string; sessionId: string },
    provider: ProviderSession,
  ): Promise<Person> {
    const { id: accountId, sessionId: id, email, name } = account;
    return this.#keep(response, { id, accountId, email, name, ...provider });
  }

  /** Id of the browser's session, live or not; empty without one. */
  async idIn(request: Request): Promise<string> {
    return (await this.#read(request))?.id ?? "";
  }

  /**
   * Finds the signed-in person, whose session was live within the last 4 s; undefined if nobody is signed in.
   * Rejects with a `Failure` if that cannot be determined.
   */
  async find(request: Request, response: Response): Promise<Person | undefined> {
    const session = await this.#read(request);
    if (!session) return undefined;
    if (await this.#options.checks.isLive(userOf(session))) return this.#renew(response, session);
    this.forget(response);
    return undefined;
  }

  /** Finds the signed-in person; their session must be live at this moment. */
  async findNow(request: Request, response: Response): Promise<CurrentSession | undefined> {
    const session = await this.#read(request);
    if (!session) return undefined;
    const { isLive, isRecent } = await this.#options.checks.ask(userOf(session));
    if (!isLive) return void this.forget(response);
    const person = await this.#renew(response, session);
    return person && { person, isRecent };
  }

  /**
   * Ends the session, including copies of its cookie, and deletes the cookie. Rejects if the end cannot be
   * stored; the browser then stays signed in, so that the person can retry.
   */
  async end(response: Response, person: Person): Promise<void> {
    const { auth, checks } = this.#options;
    await auth.endSession({}, callOptionsFor(person));
    checks.drop(person.user);
    this.forget(response);
  }

  /** Ends all sessions of the person, on every device. */
  async endAll(response: Response, person: Person): Promise<void> {
    await this.#endAll(person, OwnSession.END);
    this.forget(response);
  }

  /** Ends the person's sessions on other devices. */
  async endOthers(person: Person): Promise<void> {
    await this.#endAll(person, OwnSession.KEEP);
  }

  /** Deletes the cookie of an ended session. */
  forget(response: Response): void {
    this.#options.cookies.clear(response, PURPOSE);
  }

  async #endAll(person: Person, ownSession: OwnSession): Promise<string> {
    const { auth, checks } = this.#options;
    const { sessionId } = await auth.endAllSessions({ ownSession }, callOptionsFor(person));
    checks.drop({ accountId: person.user.accountId });
    return sessionId;
  }

  async #read(request: Request): Promise<Session | undefined> {
    const value = await this.#options.cookies.read(request, PURPOSE);
    return sessionShape.safeParse(value).data;
  }

  /** The person, with a fresh token; undefined when the provider has ended the session. */
  async #renew(response: Response, session: Session): Promise<Person | undefined> {
    const nowSeconds = this.#options.clock.now().getTime() / 1_000;
    const person = this.#personOf(session);
    if (session.accessExpiresAt - nowSeconds > RENEW_BEFORE_SECONDS) return person;
    const renewed = await this.#renewals.run(session.refreshToken, () =>
      this.#options.provider.renewSession(session, response.req.ip),
    );
    if (renewed) return this.#keep(response, { ...session, ...renewed });
    await this.end(response, person);
    return undefined;
  }

  async #keep(response: Response, session: Session): Promise<Person> {
    const value = sessionShape.parse(session);
    await this.#options.cookies.write(response, PURPOSE, { value, ttlSeconds: SESSION_SECONDS });
    return this.#personOf(value);
  }

  #personOf(session: Session): Person {
    const { subject, email, name, accessToken } = session;
    const user = userOf(session);
    const person = { user, subject, email, name, accessToken, calls: new CallScope() };
    this.#sessions.set(person, session);
    return person;
  }
}

function userOf({ id, accountId }: Session): UserIdentity {
  return { accountId, credentialKind: "session", credentialId: id, scopes: [] };
}
