import { toFailure } from "@nutrition/core/failure";
import type { Failure } from "@nutrition/core/failure";

import type { Command, Print } from "./command.ts";
import { UsageError, parseArguments } from "./command.ts";
import { accountCommands } from "./commands/accounts.ts";
import { doctor } from "./commands/doctor.ts";
import { foodCommands } from "./commands/foods.ts";
import { journalCommands } from "./commands/journal.ts";
import { keyCommands } from "./commands/keys.ts";
import { usageCommands } from "./commands/usage.ts";
import { notRunning } from "./config.ts";
import type { CommandGroup } from "./help.ts";
import { commandHelp, groupHelp, programHelp } from "./help.ts";
import type { Services } from "./services.ts";

/** Output of a run and its exit code: 0 success, 1 failure or nothing found, 2 wrong usage. */
export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: 0 | 1 | 2;
}

const GROUPS: { readonly [name: string]: CommandGroup } = {
  accounts: { summary: "People's accounts.", commands: accountCommands },
  journal: { summary: "A person's journal as a file.", commands: journalCommands },
  keys: { summary: "API keys of an account.", commands: keyCommands },
  usage: { summary: "Usage and refusals.", commands: usageCommands },
  foods: { summary: "The food tables.", commands: foodCommands },
};
/** Commands about the installation as a whole, which have no subject. */
const COMMANDS: { readonly [name: string]: Command } = { doctor };

/**
 * Runs one command. Services are contacted only if the command line is valid. Output that is too
 * large for memory is printed while the command runs, before the result's text.
 */
export async function runCommandLine(
  args: readonly string[],
  services: Services,
  print: Print,
): Promise<RunResult> {
  const asJson = args.includes("--json");
  try {
    const found = findCommand(args);
    if ("help" in found) return done(found.help);
    const parsed = parseArguments(found.command, [...found.args, ...(asJson ? ["--json"] : [])]);
    const output = await found.command.run(services, parsed, print);
    if (!output) return { stdout: "", stderr: "", exitCode: 0 };
    const result = done(asJson ? JSON.stringify(output.json) : output.text);
    return output.isNegative ? { ...result, exitCode: 1 } : result;
  } catch (error) {
    if (error instanceof UsageError) return failed(asJson, 2, "usage", error.message);
    const { reason, message } = explained(toFailure(error));
    return failed(asJson, 1, reason.toLowerCase(), message);
  }
}

type Found = { command: Command; args: readonly string[] } | { help: string };

function findCommand(args: readonly string[]): Found {
  const words = args.filter((word) => word !== "--json");
  const asksForHelp = words.includes("--help") || words.includes("-h");
  const [groupName = "", commandName = ""] = words.filter((word) => !/^(--help|-h)$/.test(word));
  const alone = ownValue(COMMANDS, groupName);
  if (alone)
    return asksForHelp
      ? { help: commandHelp(groupName, alone) }
      : { command: alone, args: words.slice(1) };
  const group = ownValue(GROUPS, groupName);
  if (!group) {
    if (asksForHelp && groupName === "") return { help: programHelp(GROUPS, COMMANDS) };
    throw new UsageError(unknown(groupName, "subject", Object.keys({ ...GROUPS, ...COMMANDS })));
  }
  const command = ownValue(group.commands, commandName);
  if (!command) {
    if (asksForHelp && commandName === "") return { help: groupHelp(groupName, group) };
    throw new UsageError(unknown(commandName, `${groupName} command`, Object.keys(group.commands)));
  }
  if (asksForHelp) return { help: commandHelp(`${groupName} ${commandName}`, command) };
  return { command, args: words.slice(2) };
}

function ownValue<Value>(values: { readonly [name: string]: Value }, name: string) {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function unknown(name: string, what: string, known: readonly string[]): string {
  // Any other text may be a misplaced secret and must not be printed.
  const suffix = /^[a-z-]{1,20}$/.test(name) ? ` ${name}` : " of that name";
  const problem = name === "" ? `Give a ${what}` : `There is no ${what}${suffix}`;
  return `${problem}: ${known.join(", ")}. --help explains them.`;
}

/** A service that does not respond is most likely not running. */
function explained(failure: Failure): Failure {
  return failure.kind === "unavailable" && failure.reason === "SERVICE_UNREACHABLE"
    ? notRunning(failure)
    : failure;
}

function done(text: string): RunResult {
  return { stdout: `${text}\n`, stderr: "", exitCode: 0 };
}

function failed(asJson: boolean, exitCode: 1 | 2, error: string, message: string): RunResult {
  const line = asJson ? JSON.stringify({ error, message }) : `admin: ${oneLine(message)}`;
  return { stdout: "", stderr: `${line}\n`, exitCode };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
