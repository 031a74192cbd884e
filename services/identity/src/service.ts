import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { createServer } from "@nutrition/core/node-http";
import { listen } from "@nutrition/service/listen";
import { shareConnections } from "@nutrition/service/share-connections";

import type { IdentityConfig, SeedUser } from "./config.ts";
import { MAILS_PER_HOUR, MailQuota } from "./domain/mail-limits.ts";
import { PRESCRIBED_SETTINGS } from "./domain/security-settings.ts";
import { Faults } from "./faults.ts";
import { insertUser } from "./flows/accounts.ts";
import { createApp } from "./http/app.ts";
import type { Provider } from "./provider.ts";
import { createPending } from "./provider.ts";
import { DataFile, readSnapshot } from "./records/data-file.ts";
import { Directory } from "./records/directory.ts";
import type { SentMail } from "./records/mailbox.ts";
import { Mailbox } from "./records/mailbox.ts";
import { hashPassword } from "./tokens/passwords.ts";
import { Sessions } from "./tokens/sessions.ts";
import { SigningKeys } from "./tokens/signing-keys.ts";
import { TokenIssuer } from "./tokens/token-issuer.ts";

export interface IdentityOverrides {
  clock?: Clock;
  logger?: Logger;
}

export interface RunningIdentity extends AsyncDisposable {
  /** Address it listens on, such as `127.0.0.1:3001`. */
  readonly address: string;
  /** Value of the `iss` claim and prefix of every endpoint's address. */
  readonly issuer: string;
  /** Faults for tests to inject. */
  readonly faults: Faults;
  /** The mails it would have sent, oldest first. */
  readonly inbox: readonly SentMail[];
}

const ACCESS_TOKEN_SECONDS = 3_600;
const AUTHORIZATION_PATH = "/oauth/consent";
/** Timeouts that bound the resources of a slow client. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS_MAX = 1_000;

/** Starts the development identity provider. Disposing stops it and saves its state. */
export async function startIdentity(
  config: IdentityConfig,
  overrides: IdentityOverrides = {},
): Promise<RunningIdentity> {
  const { clock = systemClock } = overrides;
  const records = await openRecords(config);
  await seedUsers(config.users, { clock, ...records });
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  });
  shareConnections(server, { max: CONNECTIONS_MAX });
  const address = await listen(server, config);
  const issuer = config.issuer ?? `http://${address}/auth/v1`;
  // No await from here on: a request that arrives in between would get no response.
  const provider = assemble(config, { ...overrides, clock }, { ...records, issuer });
  server.on("request", createApp(provider));
  return {
    address,
    issuer,
    faults: provider.faults,
    inbox: provider.mailbox.mails,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await provider.save();
    },
  };
}

interface OpenRecords {
  directory: Directory;
  keys: SigningKeys;
  save: () => Promise<void>;
}

async function openRecords({ dataFile }: IdentityConfig): Promise<OpenRecords> {
  const snapshot = dataFile === undefined ? undefined : await readSnapshot(dataFile);
  const directory = new Directory(snapshot);
  const keys = await SigningKeys.create(snapshot?.keys);
  if (dataFile === undefined) return { directory, keys, save: async () => {} };
  const file = new DataFile(dataFile, () => ({
    keys: [...keys.records],
    ...directory.snapshot(),
  }));
  return { directory, keys, save: () => file.save() };
}

function assemble(
  config: IdentityConfig,
  { clock, logger = silentLogger }: IdentityOverrides & { clock: Clock },
  { directory, keys, save, issuer }: OpenRecords & { issuer: string },
): Provider {
  const accessTokenSeconds = config.accessTokenSeconds ?? ACCESS_TOKEN_SECONDS;
  const security = { ...PRESCRIBED_SETTINGS, ...config.security };
  const { detachClientTokens } = security;
  return {
    issuer,
    siteUrl: config.siteUrl,
    authorizationPath: config.authorizationPath ?? AUTHORIZATION_PATH,
    allowedRedirects: config.allowedRedirects,
    clock,
    logger,
    directory,
    keys,
    tokens: new TokenIssuer({
      issuer,
      keys,
      directory,
      clock,
      accessTokenSeconds,
      detachClientTokens,
    }),
    sessions: new Sessions({ directory, clock }),
    pending: createPending(clock),
    mailbox: new Mailbox(clock),
    mailQuota: new MailQuota(config.mailsPerHour ?? MAILS_PER_HOUR),
    faults: new Faults({ keys, save }),
    security,
    autoconfirm: config.autoconfirm ?? false,
    adminKey: config.adminKey,
    mailLinksTo: config.mailLinksTo ?? "provider",
    save,
  };
}

async function seedUsers(
  users: readonly SeedUser[],
  { clock, directory, save }: OpenRecords & { clock: Clock },
): Promise<void> {
  for (const { email, password, name, emailVerified } of users) {
    if (directory.findUserByEmail(email)) continue;
    const passwordHash = await hashPassword(password);
    const metadata = { name, full_name: name };
    const asked = { email, metadata, provider: "email", passwordHash, isConfirmed: emailVerified };
    insertUser({ clock, directory }, asked);
  }
  await save();
}
