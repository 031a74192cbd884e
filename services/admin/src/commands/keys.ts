import { isCivilDate } from "@nutrition/core/civil-date";

import { getAccount } from "../accounts.ts";
import type { Arguments, Command } from "../command.ts";
import { UsageError, optionFlag, optionText, requireOption } from "../command.ts";
import type { KeyView } from "../keys.ts";
import { createKey, listKeys, revokeKey } from "../keys.ts";
import type { Services } from "../services.ts";
import type { Column } from "../table.ts";
import { formatTable } from "../table.ts";

const COLUMNS: readonly Column<KeyView>[] = [
  ["id", (key) => key.id],
  ["public id", (key) => key.public_id],
  ["name", (key) => key.name],
  ["scopes", (key) => key.scopes.join(",")],
  ["created", (key) => key.created_at],
  ["expires", (key) => key.expires_at],
  ["last used", (key) => key.last_used_at],
  ["revoked", (key) => key.revoked_at],
  ["note", noteOn],
];

const NOTES = { expired: "expired", never_used: "never used", idle: "idle" } as const;

/** Describes the reason to review a key. */
function noteOn({ mark, leak_reported_at: leakedAt, leak_location: place }: KeyView) {
  if (leakedAt) return `found in public ${leakedAt}${place ? `: ${place}` : ""}`;
  return mark && NOTES[mark];
}

const ACCOUNT_DETAIL = "--account ID|EMAIL  the account, by id or by e-mail address";

async function accountIdOf(services: Services, given: Arguments): Promise<string> {
  const idOrEmail = requireOption(given, "account");
  return (await getAccount(services.auth, idOrEmail)).id;
}

const create: Command = {
  synopsis: "--account ID|EMAIL --scopes S[,S] [--expires DATE] [--name N]",
  summary: "Create an API key and show it once.",
  details: [
    ACCOUNT_DETAIL,
    "--scopes S[,S]      service.read (reading), or service.read,nutrition.write (and logging)",
    "--expires DATE      expiry: YYYY-MM-DD (00:00 UTC) or an RFC 3339 time; never by default",
    "--name N            a name by which its owner recognizes it",
  ],
  options: {
    account: { type: "string" },
    scopes: { type: "string" },
    expires: { type: "string" },
    name: { type: "string" },
  },
  positionals: [],
  async run(services, given) {
    const scopes = requireOption(given, "scopes")
      .split(",")
      .map((scope) => scope.trim());
    const expiresAt = parseExpiry(optionText(given, "expires"));
    const accountId = await accountIdOf(services, given);
    const name = optionText(given, "name");
    const created = await createKey(services.auth, { accountId, scopes, name, expiresAt });
    const table = formatTable([created], COLUMNS, "");
    return { json: created, text: `${created.key}\n\nKeep it: it is not shown again.\n\n${table}` };
  },
};

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function parseExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = RFC_3339.exec(text)?.[1] ?? text;
  const moment = new Date(text.replace(" ", "T"));
  if (isCivilDate(day) && !Number.isNaN(moment.getTime())) return moment;
  throw new UsageError(
    "--expires must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.",
  );
}

const list: Command = {
  synopsis: "--account ID|EMAIL [--all] [--idle]",
  summary: "List an account's active keys, newest first.",
  details: [
    ACCOUNT_DETAIL,
    "--all               include revoked and expired keys",
    "--idle              only keys unused for 90 days, or for 7 days since their creation",
  ],
  options: { account: { type: "string" }, all: { type: "boolean" }, idle: { type: "boolean" } },
  positionals: [],
  async run(services, given) {
    const accountId = await accountIdOf(services, given);
    const all = await listKeys(services.auth, accountId, optionFlag(given, "all") ?? false);
    const keys = optionFlag(given, "idle") ? all.filter(isIdle) : all;
    return { json: keys, text: formatTable(keys, COLUMNS, "The account has no such keys.") };
  },
};

function isIdle({ mark }: KeyView): boolean {
  return mark === "idle" || mark === "never_used";
}

const revoke: Command = {
  synopsis: "ID|PUBLIC_ID --account ID|EMAIL",
  summary: "Revoke a key permanently; it is refused everywhere within 5 seconds.",
  details: ["ID|PUBLIC_ID        the key, by id or by public id", ACCOUNT_DETAIL],
  options: { account: { type: "string" } },
  positionals: ["ID|PUBLIC_ID"],
  async run(services, given) {
    const accountId = await accountIdOf(services, given);
    const key = await revokeKey(services.auth, accountId, given.positionals[0]!);
    return { json: key, text: formatTable([key], COLUMNS, "") };
  },
};

/** Commands for keys of any account. */
export const keyCommands = { create, list, revoke };
