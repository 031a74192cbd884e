import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

import type { CodeChallenge } from "./domain/pkce.ts";
import type { ReturnRules } from "./domain/redirect.ts";
import type { Faults } from "./faults.ts";
import type { Mailbox } from "./flows/mailbox.ts";
import type { Directory } from "./records/directory.ts";
import { ExpiringMap } from "./records/expiring-map.ts";
import type { SessionOrigin } from "./records/records.ts";
import type { Sessions } from "./tokens/sessions.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";
import type { TokenIssuer } from "./tokens/token-issuer.ts";

/** What the routes work with. */
export interface Provider extends ReturnRules {
  readonly issuer: string;
  readonly authorizationPath: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly directory: Directory;
  readonly keys: SigningKeys;
  readonly tokens: TokenIssuer;
  readonly sessions: Sessions;
  readonly pending: Pending;
  readonly mailbox: Mailbox;
  readonly faults: Faults;
  /** Resolves when all that has changed until now outlives a restart. */
  readonly save: () => Promise<void>;
}

/** A client's request to act for a person, from the authorization endpoint to the token endpoint. */
export interface Authorization {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: string[];
  readonly state: string;
  readonly nonce: string;
  readonly codeChallenge: CodeChallenge;
  status: "pending" | "approved" | "denied";
  /** The first person who looked at it. */
  userId?: string;
}

/** A sign-in elsewhere that has begun. */
export interface ProviderFlow {
  readonly provider: string;
  readonly returnTo: string;
  readonly codeChallenge: CodeChallenge;
}

/** A sign-in that is done but for the exchange of its code. */
export interface SignInCode {
  readonly codeChallenge: CodeChallenge;
  readonly origin: SessionOrigin;
}

/** A link in a mail. */
export interface MailLink extends SignInCode {
  readonly type: MailLinkType;
  readonly returnTo: string;
}

export type MailLinkType = "recovery" | "signup";

/** What has begun and is soon forgotten; a restart forgets it too. */
export interface Pending {
  readonly authorizations: ExpiringMap<Authorization>;
  /** Authorizations by the code that the client was sent. */
  readonly authorizationCodes: ExpiringMap<Authorization>;
  readonly providerFlows: ExpiringMap<ProviderFlow>;
  readonly signInCodes: ExpiringMap<SignInCode>;
  readonly mailLinks: ExpiringMap<MailLink>;
}

const MINUTE_MS = 60_000;
const PENDING_MAX = 1_000;

/** Nothing has begun yet. */
export function createPending(clock: Clock): Pending {
  const max = PENDING_MAX;
  return {
    authorizations: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    authorizationCodes: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    providerFlows: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    signInCodes: new ExpiringMap({ clock, lifetimeMs: 5 * MINUTE_MS, max }),
    mailLinks: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
  };
}
