import { Option } from "commander";

import type { AccountWithZone } from "../accounts.ts";
import { createAccount, getAccount, listAccounts, setAccount } from "../accounts.ts";
import type { Arguments, Command, Output } from "../command.ts";
import { UsageError, optionFlag, optionText } from "../command.ts";
import { describeRemains, eraseAccount } from "../erase-account.ts";
import type { Invitation } from "../invite-person.ts";
import { describeInvitation, invitePerson, noInvitation } from "../invite-person.ts";
import { RequiredOption, accountArgument } from "../options.ts";
import { moveAccounts } from "./move-accounts.ts";
import type { Services } from "../services.ts";
import type { Column } from "../table.ts";
import { formatTable } from "../table.ts";

const COLUMNS: readonly Column<AccountWithZone>[] = [
  ["id", (account) => account.id],
  ["e-mail", (account) => account.email],
  ["name", (account) => account.name],
  ["premium", (account) => (account.has_premium ? "yes" : "no")],
  ["beta", (account) => (account.is_beta_tester ? "yes" : "no")],
  ["timezone", (account) => account.timezone],
  ["created", (account) => account.created_at],
];

function givenFields(given: Arguments) {
  return {
    name: optionText(given, "name"),
    timezone: optionText(given, "timezone"),
    hasPremium: optionFlag(given, "premium"),
    isBetaTester: optionFlag(given, "beta"),
  };
}

function oneAccount(account: AccountWithZone): Output {
  return { json: account, text: formatTable([account], COLUMNS, "") };
}

const create: Command = {
  summary: "Create an account and print an invitation link for its person.",
  details: ["If the pages can send mails, the person also gets the link by mail."],
  options: [
    new RequiredOption(
      "--email <E>",
      "e-mail address; the first person who signs in with it verified gets the account",
    ),
    new Option("--name <N>", "display name"),
    new Option(
      "--timezone <Z>",
      'IANA zone such as Europe/Berlin, which decides what "today" is; UTC by default',
    ),
    new Option("--premium", "premium access, required to connect assistants and to log food"),
    new Option("--beta", "beta tester, with the same access as premium"),
  ],
  positionals: [],
  async run(services, given) {
    const fields = { email: optionText(given, "email")!, ...givenFields(given) };
    const { json, text } = oneAccount(await createAccount(services, fields));
    const invitation = await invite(services, fields.email);
    return {
      json: { ...(json as AccountWithZone), ...invitation },
      text: `${text}\n\n${describeInvitation(invitation)}`,
    };
  },
};

const inviteAgain: Command = {
  summary: "Print a new invitation link for the person of an account.",
  details: [
    "The link signs in whoever opens it, once: hand it to its person alone. It ends the one before. If",
    "the pages can send mails, the person also gets it by mail. A person who can sign in already needs",
    "none.",
  ],
  options: [],
  positionals: [accountArgument],
  async run(services, given) {
    const { email } = await getAccount(services.auth, given.positionals[0]!);
    if (email === null) throw new UsageError("This account has no e-mail address to invite.");
    const invitation = await invite(services, email);
    return { json: invitation, text: describeInvitation(invitation) };
  },
};

async function invite(services: Services, email: string): Promise<Invitation> {
  // Some installations do not give the operator the address of the pages.
  if (!services.config.addresses.web) {
    const problem = "WEB_ADDRESS is not set, so the pages cannot be asked for one.";
    return noInvitation(problem);
  }
  return invitePerson(services.web, email);
}

const list: Command = {
  summary: "List all accounts, oldest first.",
  details: [],
  options: [],
  positionals: [],
  async run(services) {
    const accounts = await listAccounts(services);
    return { json: accounts, text: formatTable(accounts, COLUMNS, "There are no accounts.") };
  },
};

const set: Command = {
  summary: "Change an account; what is not given stays unchanged.",
  details: [],
  options: [
    new Option("--premium", "grant premium"),
    new Option("--no-premium", "remove premium"),
    new Option("--beta", "add beta access"),
    new Option("--no-beta", "remove beta access"),
    new Option("--name <N>", 'display name; "" for none'),
    new Option("--email <E>", "e-mail address"),
    new Option("--timezone <Z>", "IANA zone such as Europe/Berlin"),
  ],
  positionals: [accountArgument],
  async run(services, given) {
    const changes = { email: optionText(given, "email"), ...givenFields(given) };
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new UsageError("Give at least one change.");
    }
    return oneAccount(await setAccount(services, given.positionals[0]!, changes));
  },
};

const erase: Command = {
  summary: "Delete a person's account and journal permanently.",
  details: [
    "Deletes the journal, then the account with its keys and connections, then the person at the",
    "identity provider. Usage stays counted, anonymized. No mail is sent. After a failure, run the",
    "command again with the id.",
  ],
  options: [
    new Option(
      "--yes",
      "required, because this cannot be undone; export the journal first if it may be needed",
    ),
  ],
  positionals: [accountArgument],
  async run(services, given) {
    if (!optionFlag(given, "yes")) {
      throw new UsageError(
        "This permanently deletes the account and its journal. Give --yes to do it.",
      );
    }
    const erased = await eraseAccount(services, given.positionals[0]!);
    const text = erased.existed
      ? `The account ${erased.id} was erased.`
      : `The account ${erased.id} did not exist; remains of an earlier erasure were deleted.`;
    return { json: erased, text: [text, ...describeRemains(erased)].join("\n") };
  },
};

/** Commands for accounts. */
export const accountCommands = {
  create,
  erase,
  invite: inviteAgain,
  list,
  move: moveAccounts,
  set,
};
