import { countOf } from "@nutrition/core/count-of";
import { Option } from "commander";

import type { Command, Output } from "../command.ts";
import { UsageError, optionFlag, optionText } from "../command.ts";
import type { Move } from "../move-identities.ts";
import { moveIdentities } from "../move-identities.ts";
import { RequiredOption } from "../options.ts";
import { hasConfirmedAddress } from "../provider-users.ts";
import type { Services } from "../services.ts";
import type { Column } from "../table.ts";
import { formatTable } from "../table.ts";

/** The built-in provider: its people belong to the installation, whatever its address. */
const OWN_PROVIDER = "urn:uuid:";

const COLUMNS: readonly Column<Move>[] = [
  ["e-mail", (move) => move.email],
  ["result", (move) => move.result],
  ["keeps", (move) => move.kept],
  ["other accounts", (move) => move.released.join(" ")],
];

/** Moves accounts to another address of the identity provider. */
export const moveAccounts: Command = {
  summary: "Move people's accounts to another address of the identity provider.",
  details: [
    "Accounts are bound to the provider's address (AUTH_URL) and the person's id there. After the address has",
    "changed, nobody finds their account until this has run. It moves those whose id and confirmed e-mail",
    "address are the same at the new address, which it asks with AUTH_API_KEY. Look at --dry-run first. You",
    "can run it again.",
  ],
  options: [
    new RequiredOption(
      "--from <ISSUER>",
      "former address, such as https://ref.supabase.co/auth/v1",
    ),
    new RequiredOption("--to <ISSUER>", "present address"),
    new Option("--keep <ACCOUNT>", "id of the account to keep, for a person with several journals"),
    new Option("--dry-run", "only show what would happen"),
  ],
  positionals: [],
  async run(services, given) {
    const [from, to] = [optionText(given, "from")!, optionText(given, "to")!];
    if (from === to) throw new UsageError("--from and --to are the same.");
    const isDryRun = optionFlag(given, "dryRun") ?? false;
    const moves = await moveIdentities(services, {
      isMoved: ({ issuer }) => issuer === from,
      issuer: to,
      isSamePerson: confirmationBy(services, to),
      keptId: optionText(given, "keep"),
      isDryRun,
    });
    return describeMoves(moves, isDryRun);
  },
};

function confirmationBy({ config }: Services, issuer: string) {
  if (issuer.startsWith(OWN_PROVIDER)) return async () => true;
  const { authApiKey: apiKey } = config;
  if (apiKey === undefined) {
    throw new UsageError(
      "Set AUTH_API_KEY to a secret key of the provider: without it, nobody can confirm who is who there.",
    );
  }
  return (subject: string, emails: readonly string[]) =>
    hasConfirmedAddress({ issuer, apiKey }, subject, emails);
}

/** What was moved, and what an operator has to do about the rest. */
function describeMoves(moves: readonly Move[], isDryRun: boolean): Output {
  const counts = Map.groupBy(moves, ({ result }) => result);
  const numberOf = (result: Move["result"]) => counts.get(result)?.length ?? 0;
  const lines = [formatTable(moves, COLUMNS, "Nobody is known under --from.")];
  const moved = countOf(numberOf("moved"), "person", "people");
  lines.push(isDryRun ? `${moved} would be moved. Nothing was changed.` : `${moved} moved.`);
  if (numberOf("undecided") > 0) {
    lines.push(
      "undecided: several accounts of the person have entries. Choose one with --keep ACCOUNT; the others keep their data, but nobody can sign in to them.",
    );
  }
  if (numberOf("not_confirmed") > 0) {
    lines.push(
      "not_confirmed: the new address does not know this id with this confirmed e-mail address, so the account was left as it is.",
    );
  }
  return { json: moves, text: lines.join("\n\n") };
}
