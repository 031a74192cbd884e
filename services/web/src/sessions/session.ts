import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/rpc/context";
import type { Request, Response } from "express";
import { z } from "zod";

import { SingleFlight } from "../single-flight.ts";
import type { ProviderSession } from "./provider-sessions.ts";
import type { SealedCookies } from "./sealed-cookies.ts";

const PURPOSE = "session";
/** A person who does not come back for so long signs in again. */
const SESSION_SECONDS = 14 * 86_400;
/** An access token is renewed when it has less than this left. */
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

/** Who is signed in on the pages. */
export interface Person {
  /** What the services are told: a session, which may manage keys, grants and settings. */
  readonly user: UserIdentity;
  /** Who the person is at the identity provider. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  /** The person's own token at the identity provider. Never sent to anyone else. */
  readonly accessToken: string;
}

export interface SessionsOptions {
  cookies: SealedCookies;
  /** Renews at the identity provider; undefined when the provider has ended the session. */
  renew: (session: ProviderSession) => Promise<ProviderSession | undefined>;
  clock: Clock;
}

/** Signed-in sessions, kept whole in a sealed cookie: this service stores nothing. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** Renewals under way, by refresh token: pages loaded side by side renew once. */
  readonly #renewals = new SingleFlight<ProviderSession | undefined>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Begins a session after a sign-in; any earlier one of this browser is replaced. */
  async begin(
    response: Response,
    account: { id: string; email: string; name: string },
    provider: ProviderSession,
  ): Promise<Person> {
    const { id: accountId, email, name } = account;
    return this.#keep(response, { id: newId(), accountId, email, name, ...provider });
  }

  /** Who is signed in; undefined for nobody. Rejects with a `Failure` when it cannot tell. */
  async find(request: Request, response: Response): Promise<Person | undefined> {
    const parsed = sessionShape.safeParse(await this.#options.cookies.read(request, PURPOSE));
    if (!parsed.success) return undefined;
    const session = parsed.data;
    const nowSeconds = this.#options.clock.now().getTime() / 1_000;
    if (session.accessExpiresAt - nowSeconds > RENEW_BEFORE_SECONDS) return personOf(session);
    const renewed = await this.#renewals.run(session.refreshToken, () =>
      this.#options.renew(session),
    );
    if (renewed) return this.#keep(response, { ...session, ...renewed });
    this.end(response);
    return undefined;
  }

  /** Signs out in this browser. */
  end(response: Response): void {
    this.#options.cookies.clear(response, PURPOSE);
  }

  async #keep(response: Response, session: Session): Promise<Person> {
    const value = sessionShape.parse(session);
    await this.#options.cookies.write(response, PURPOSE, { value, ttlSeconds: SESSION_SECONDS });
    return personOf(value);
  }
}

function personOf({ id, accountId, subject, email, name, accessToken }: Session): Person {
  const user = { accountId, credentialKind: "session", credentialId: id, scopes: [] } as const;
  return { user, subject, email, name, accessToken };
}
