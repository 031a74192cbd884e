import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";

import type { MailQuota } from "./domain/mail-limits.ts";
import type { CodeChallenge } from "./domain/pkce.ts";
import type { ReturnRules } from "./domain/redirect.ts";
import type { SecuritySettings } from "./domain/security-settings.ts";
import type { Faults } from "./faults.ts";
import type { Mailbox } from "./records/mailbox.ts";
import type { Directory } from "./records/directory.ts";
import { ExpiringMap } from "./records/expiring-map.ts";
import type { SessionOrigin } from "./records/records.ts";
import type { Sessions } from "./tokens/sessions.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";
import type { TokenIssuer } from "./tokens/token-issuer.ts";

/** Dependencies of the routes. */
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
  readonly mailQuota: MailQuota;
  readonly faults: Faults;
  readonly security: SecuritySettings;
  /** Whether a new address counts as confirmed without a mail. */
  readonly autoconfirm: boolean;
  /** Key of the administrator; without one, there is none. */
  readonly adminKey?: Secret | undefined;
  /** Target of the links in mails: this provider, or the site, which then sends the token here. */
  readonly mailLinksTo: "provider" | "site";
  /** Resolves when all changes so far would survive a restart. */
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
  /** The first person to read it. */
  userId?: string;
}

/** A third-party sign-in in progress. */
export interface ProviderFlow {
  readonly provider: string;
  readonly returnTo: string;
  readonly codeChallenge: CodeChallenge;
}

/** A completed sign-in whose code has not been exchanged. */
export interface SignInCode {
  readonly codeChallenge: CodeChallenge;
  readonly origin: SessionOrigin;
}

/** A link in a mail. */
export interface MailLink {
  readonly type: MailLinkType;
  readonly userId: string;
  readonly returnTo: string;
  /** Undefined when whoever asked for the mail gave none. */
  readonly codeChallenge: CodeChallenge | undefined;
}

export type MailLinkType = "recovery" | "signup" | "invite";

/** A change of address that some addresses have yet to confirm. */
export interface EmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly open: Set<string>;
}

/** Short-lived state, lost on restart. */
export interface Pending {
  readonly authorizations: ExpiringMap<Authorization>;
  /** Authorizations by the code that the client was sent. */
  readonly authorizationCodes: ExpiringMap<Authorization>;
  readonly providerFlows: ExpiringMap<ProviderFlow>;
  readonly signInCodes: ExpiringMap<SignInCode>;
  readonly mailLinks: ExpiringMap<MailLink>;
  /** Tokens of the links, by user and kind. */
  readonly mailTokens: ExpiringMap<string>;
  /** Codes from mails, by user. */
  readonly reauthentications: ExpiringMap<string>;
  /** The latest change requested by each user. */
  readonly emailChanges: ExpiringMap<EmailChange>;
  readonly emailChangeLinks: ExpiringMap<{ change: EmailChange; address: string }>;
}

const MINUTE_MS = 60_000;
const PENDING_MAX = 1_000;

/** Initial, empty state. */
export function createPending(clock: Clock): Pending {
  const max = PENDING_MAX;
  return {
    authorizations: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    authorizationCodes: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    providerFlows: new ExpiringMap({ clock, lifetimeMs: 10 * MINUTE_MS, max }),
    signInCodes: new ExpiringMap({ clock, lifetimeMs: 5 * MINUTE_MS, max }),
    mailLinks: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
    mailTokens: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
    reauthentications: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
    emailChanges: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
    emailChangeLinks: new ExpiringMap({ clock, lifetimeMs: 60 * MINUTE_MS, max }),
  };
}
