import type { BoundIdentity } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";

import type { AuthClient, JournalClient } from "./accounts.ts";
import { CALL } from "./call-options.ts";

type Clients = { auth: AuthClient; journal: JournalClient };

/** Which people to move, and where. */
export interface MoveRequest {
  /** Whether an identity is one of those to move. */
  isMoved: (identity: BoundIdentity) => boolean;
  /** Issuer under which the people are known from now on. */
  issuer: string;
  /** Whether the new issuer vouches that the subject is the same person; asked for each one. */
  isSamePerson: (subject: string, emails: readonly string[]) => Promise<boolean>;
  /** The account to keep for people who have several with entries. */
  keptId?: string | undefined;
  /** Only reports. */
  isDryRun: boolean;
}

/** What happened to one person, or would happen. */
export interface Move {
  subject: string;
  email: string | null;
  /** The account that the person keeps; null while that is undecided. */
  kept: string | null;
  /** Other accounts of the person, which keep their data. */
  released: string[];
  /**
   * `undecided`: several accounts have entries, so an operator must choose one. `not_confirmed`: the new
   * issuer does not know the subject with that verified address, so nothing is changed.
   */
  result: "moved" | "undecided" | "not_confirmed";
}

const PAGE_SIZE = 500;

/**
 * Moves people to another issuer, each to the one account of theirs that has entries, or to the oldest if none
 * has. Everything is decided for one person at a time, and repeating it continues where it ended.
 */
export async function moveIdentities(clients: Clients, request: MoveRequest): Promise<Move[]> {
  const moves: Move[] = [];
  for (const identities of await peopleToMove(clients.auth, request)) {
    moves.push(await moveOne(clients, request, identities));
  }
  return moves;
}

/** The identities of each person to move, of both issuers. */
async function peopleToMove(
  auth: AuthClient,
  { isMoved, issuer }: MoveRequest,
): Promise<BoundIdentity[][]> {
  const all = await Array.fromAsync(listIdentities(auth));
  const concerned = all.filter((one) => one.issuer === issuer || isMoved(one));
  const people = Map.groupBy(concerned, ({ subject }) => subject);
  return [...people.values()].filter((identities) => identities.some(isMoved));
}

async function* listIdentities(auth: AuthClient): AsyncGenerator<BoundIdentity> {
  let pageToken = "";
  do {
    const page = await auth.listIdentities({ pageSize: PAGE_SIZE, pageToken }, CALL);
    yield* page.identities;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}

async function moveOne(
  clients: Clients,
  { isMoved, issuer, isSamePerson, keptId, isDryRun }: MoveRequest,
  identities: readonly BoundIdentity[],
): Promise<Move> {
  const subject = identities[0]!.subject;
  const accounts = identities.map(({ account }) => account!);
  // An account that is already at the new issuer has its address, so it proves nothing.
  const former = identities.filter(isMoved).map(({ account }) => account!.email);
  const emails = former.filter((email) => email !== "");
  const ids = accounts.map(({ id }) => id);
  const move = { subject, email: emails[0] ?? null };
  if (!(await isSamePerson(subject, emails))) {
    return { ...move, kept: null, released: [], result: "not_confirmed" };
  }
  const kept = await choose(clients.journal, identities, keptId);
  if (kept === undefined) return { ...move, kept: null, released: ids, result: "undecided" };
  const formerIssuers = identities.map((one) => one.issuer);
  if (!isDryRun) {
    await clients.auth.moveIdentity({ subject, formerIssuers, issuer, accountId: kept }, CALL);
  }
  return { ...move, kept, released: ids.filter((id) => id !== kept), result: "moved" };
}

/** The account that the person keeps; undefined when only an operator can decide. */
async function choose(
  journal: JournalClient,
  identities: readonly BoundIdentity[],
  keptId: string | undefined,
): Promise<string | undefined> {
  const accounts = identities.map(({ account }) => account!);
  if (accounts.some(({ id }) => id === keptId)) return keptId;
  const filled: string[] = [];
  for (const { id } of accounts) if (await hasEntries(journal, id)) filled.push(id);
  if (filled.length > 1) return undefined;
  const [oldest] = accounts.toSorted((a, b) => createdMs(a) - createdMs(b));
  return filled[0] ?? oldest?.id;
}

function createdMs({ createdAt }: NonNullable<BoundIdentity["account"]>): number {
  return createdAt ? timestampMs(createdAt) : 0;
}

/** An export begins with the settings, which the entries follow. */
async function hasEntries(journal: JournalClient, accountId: string): Promise<boolean> {
  let pageToken = "";
  do {
    const page = await journal.exportJournal({ accountId, pageToken }, CALL);
    const lines = Buffer.from(page.jsonLines).toString().split("\n").filter(Boolean);
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    const type = types.find((one) => one !== "settings");
    if (type !== undefined) return type === "entry";
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return false;
}
