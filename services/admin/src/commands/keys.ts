import { isCivilDate } from "@nutrition/core/civil-date";
import { Argument, InvalidArgumentError, Option } from "commander";

import { getAccount } from "../accounts.ts";
import type { Arguments, Command } from "../command.ts";
import { optionFlag, optionText } from "../command.ts";
import type { KeyView } from "../keys.ts";
import { createKey, listKeys, revokeKey } from "../keys.ts";
import { RequiredOption, accountOption } from "../options.ts";
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

async function accountIdOf(services: Services, given: Arguments): Promise<string> {
  return (await getAccount(services.auth, optionText(given, "account")!)).id;
}

const create: Command = {
  summary: "Create an API key and show it once.",
  details: [],
  options: [
    accountOption,
    new RequiredOption(
      "--scopes <S,…>",
      "service.read to read, or service.read,nutrition.write to log food as well",
    ),
    new Option(
      "--expires <DATE>",
      "expiry: YYYY-MM-DD (00:00 UTC) or an RFC 3339 time; never by default",
    ).argParser(parseExpiry),
    new Option("--name <N>", "a name by which its owner recognizes it"),
  ],
  positionals: [],
  async run(services, given) {
    const scopes = optionText(given, "scopes")!
      .split(",")
      .map((scope) => scope.trim());
    const expiresAt = given.options["expires"] as Date | undefined;
    const accountId = await accountIdOf(services, given);
    const name = optionText(given, "name");
    const created = await createKey(services.auth, { accountId, scopes, name, expiresAt });
    const table = formatTable([created], COLUMNS, "");
    return { json: created, text: `${created.key}\n\nKeep it: it is not shown again.\n\n${table}` };
  },
};

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function parseExpiry(text: string): Date {
  const day = RFC_3339.exec(text)?.[1] ?? text;
  const moment = new Date(text.replace(" ", "T"));
  if (isCivilDate(day) && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    "It must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.",
  );
}

const list: Command = {
  summary: "List an account's active keys, newest first.",
  details: [],
  options: [
    accountOption,
    new Option("--all", "include revoked and expired keys"),
    new Option("--idle", "only keys unused for 90 days, or for 7 days since their creation"),
  ],
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
  summary: "Revoke a key permanently; it is refused everywhere within 5 seconds.",
  details: [],
  options: [accountOption],
  positionals: [new Argument("<ID|PUBLIC_ID>", "the key, by id or by public id")],
  async run(services, given) {
    const accountId = await accountIdOf(services, given);
    const key = await revokeKey(services.auth, accountId, given.positionals[0]!);
    return { json: key, text: formatTable([key], COLUMNS, "") };
  },
};

/** Commands for keys of any account. */
export const keyCommands = { create, list, revoke };
