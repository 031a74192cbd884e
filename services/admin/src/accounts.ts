import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { isTimeZone } from "@nutrition/core/civil-date";
import { Failure, toFailure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { Account, AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import { CALL } from "./call-options.ts";
import { mapConcurrently } from "./map-concurrently.ts";

const PAGE_SIZE = 500;
const DEFAULT_ZONE = "UTC";

export type AuthClient = Client<typeof AuthService>;
export type JournalClient = Client<typeof JournalService>;

/** An account as printed by the command line. */
export interface AccountView {
  id: string;
  email: string | null;
  name: string | null;
  has_premium: boolean;
  is_beta_tester: boolean;
  created_at: string | null;
  updated_at: string | null;
}

/** An account with the time zone of its journal, UTC when none was chosen. */
export type AccountWithZone = AccountView & { timezone: string };

/** Fields of an account that can be set; undefined leaves a value unchanged. */
export interface AccountFields {
  name?: string | undefined;
  hasPremium?: boolean | undefined;
  isBetaTester?: boolean | undefined;
  /** IANA zone name. */
  timezone?: string | undefined;
}

type Clients = { auth: AuthClient; journal: JournalClient };

/**
 * Creates an account, and sets its time zone if one is given. An unknown zone is refused before
 * anything is created. If the journal cannot store the zone, the failure names the id of the
 * account.
 */
export async function createAccount(
  clients: Clients,
  fields: AccountFields & { email: string },
): Promise<AccountWithZone> {
  const { email, name = "", hasPremium = false, isBetaTester = false, timezone } = fields;
  assertTimeZone(timezone);
  const request = { email, name, hasPremium, isBetaTester };
  const { account } = await clients.auth.createAccount(request, CALL);
  const view = accountView(account!);
  if (timezone !== undefined) return setTimezone(clients.journal, view, timezone);
  return { ...view, timezone: DEFAULT_ZONE };
}

/** Updates the given fields of an account. */
export async function setAccount(
  clients: Clients,
  selector: string,
  { timezone, ...changes }: AccountFields & { email?: string | undefined },
): Promise<AccountWithZone> {
  assertTimeZone(timezone);
  const { id: accountId } = await getAccount(clients.auth, selector);
  const current = timezone ?? (await timezoneOf(clients.journal, accountId));
  const { account } = await clients.auth.updateAccount({ accountId, ...changes }, CALL);
  const view = accountView(account!);
  if (timezone !== undefined) return setTimezone(clients.journal, view, timezone);
  return { ...view, timezone: current };
}

/** All accounts, oldest first. */
export async function listAccounts(clients: Clients, pageToken = ""): Promise<AccountWithZone[]> {
  const page = await clients.auth.listAccounts({ pageSize: PAGE_SIZE, pageToken }, CALL);
  const views = await mapConcurrently(page.accounts, async (account) => {
    return { ...accountView(account), timezone: await timezoneOf(clients.journal, account.id) };
  });
  if (page.nextPageToken === "") return views;
  return views.concat(await listAccounts(clients, page.nextPageToken));
}

/** Finds an account by id or e-mail address. */
export async function getAccount(auth: AuthClient, idOrEmail: string): Promise<AccountView> {
  return accountView(await findAccount(auth, idOrEmail));
}

/** Reads the Profile of an account by id or e-mail address. */
export async function getProfile(
  auth: AuthClient,
  idOrEmail: string,
): Promise<AccountView & { avatar_url: string | null }> {
  const account = await findAccount(auth, idOrEmail);
  return { ...accountView(account), avatar_url: account.avatarUrl || null };
}

async function findAccount(auth: AuthClient, idOrEmail: string): Promise<Account> {
  const selector = isUuid(idOrEmail)
    ? ({ case: "accountId", value: idOrEmail } as const)
    : ({ case: "email", value: idOrEmail } as const);
  const { account } = await auth.getAccount({ selector }, CALL);
  return account!;
}

async function timezoneOf(journal: JournalClient, accountId: string): Promise<string> {
  const { json } = await journal.getSettings({ accountId }, CALL);
  const settings = JSON.parse(Buffer.from(json).toString()) as { timezone?: string } | null;
  return settings?.timezone ?? DEFAULT_ZONE;
}

async function setTimezone(
  journal: JournalClient,
  view: AccountView,
  timezone: string,
): Promise<AccountWithZone> {
  const updateMask = { paths: ["timezone"] };
  const request = { accountId: view.id, settings: { timezone }, updateMask };
  await journal.updateSettings(request, CALL).catch((error: unknown) => {
    const { kind, message } = toFailure(error);
    const where = `The account ${view.id} is stored, but its timezone is not set: ${message}`;
    const next = `Then run: accounts set ${view.id} --timezone ${timezone}`;
    throw new Failure(kind, "TIMEZONE_NOT_SET", `${where} ${next}`, { cause: error });
  });
  return { ...view, timezone };
}

function assertTimeZone(timezone: string | undefined): void {
  if (timezone === undefined || isTimeZone(timezone)) return;
  throw new Failure(
    "invalid_argument",
    "INVALID_TIMEZONE",
    `${JSON.stringify(timezone)} is not a time zone. Give an IANA name such as Europe/Berlin.`,
  );
}

function accountView(account: Account): AccountView {
  return {
    id: account.id,
    email: account.email || null,
    name: account.name || null,
    has_premium: account.hasPremium,
    is_beta_tester: account.isBetaTester,
    created_at: isoTime(account.createdAt),
    updated_at: isoTime(account.updatedAt),
  };
}

/** Formats a moment as RFC 3339 in UTC; null when it is absent. */
export function isoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}
