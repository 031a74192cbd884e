import type { AccountView } from "../accounts.ts";
import { createAccount, listAccounts, setAccount } from "../accounts.ts";
import type { Arguments, Command, Output } from "../command.ts";
import { UsageError, optionFlag, optionText, requireOption } from "../command.ts";
import type { Column } from "../table.ts";
import { formatTable } from "../table.ts";

const COLUMNS: readonly Column<AccountView>[] = [
  ["id", (account) => account.id],
  ["e-mail", (account) => account.email],
  ["name", (account) => account.name],
  ["premium", (account) => (account.has_premium ? "yes" : "no")],
  ["beta", (account) => (account.is_beta_tester ? "yes" : "no")],
  ["created", (account) => account.created_at],
];

const TIMEZONE_COLUMN: Column<AccountView> = ["timezone", (account) => account.timezone ?? null];

const FIELD_OPTIONS = {
  email: { type: "string" },
  name: { type: "string" },
  timezone: { type: "string" },
  premium: { type: "boolean" },
  beta: { type: "boolean" },
} as const;

function givenFields(given: Arguments) {
  return {
    name: optionText(given, "name"),
    timezone: optionText(given, "timezone"),
    hasPremium: optionFlag(given, "premium"),
    isBetaTester: optionFlag(given, "beta"),
  };
}

function oneAccount(account: AccountView): Output {
  const columns = account.timezone === undefined ? COLUMNS : [...COLUMNS, TIMEZONE_COLUMN];
  return { json: account, text: formatTable([account], columns, "") };
}

const create: Command = {
  synopsis: "--email E [--name N] [--timezone Z] [--premium] [--beta]",
  summary: "Make an account.",
  details: [
    "--email E     e-mail address; the first person who signs in with it verified gets the account",
    "--name N      display name",
    '--timezone Z  IANA zone such as Europe/Berlin, in which "today" is computed; UTC when not given',
    "--premium     premium, which connecting assistants and logging food need",
    "--beta        beta tester, which opens the same doors as premium",
  ],
  options: FIELD_OPTIONS,
  positionals: [],
  async run(services, given) {
    const fields = { email: requireOption(given, "email"), ...givenFields(given) };
    return oneAccount(await createAccount(services, fields));
  },
};

const list: Command = {
  synopsis: "",
  summary: "List all accounts, oldest first.",
  details: [],
  options: {},
  positionals: [],
  async run(services) {
    const accounts = await listAccounts(services.auth);
    return { json: accounts, text: formatTable(accounts, COLUMNS, "There are no accounts.") };
  },
};

const set: Command = {
  synopsis:
    "ID|EMAIL [--premium|--no-premium] [--beta|--no-beta] [--name N] [--email E] [--timezone Z]",
  summary: "Change an account; what is not given stays.",
  details: [
    "ID|EMAIL                  the account, by id or by e-mail address",
    "--premium, --no-premium   give or take premium",
    "--beta, --no-beta         make or unmake a beta tester",
    '--name N                  display name; "" for none',
    "--email E                 e-mail address",
    "--timezone Z              IANA zone such as Europe/Berlin",
  ],
  options: FIELD_OPTIONS,
  positionals: ["ID|EMAIL"],
  async run(services, given) {
    const changes = { email: optionText(given, "email"), ...givenFields(given) };
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new UsageError("Give at least one change.");
    }
    return oneAccount(await setAccount(services, given.positionals[0]!, changes));
  },
};

/** What operators do with accounts. */
export const accountCommands = { create, list, set };
