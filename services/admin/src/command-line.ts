import { toFailure } from "@nutrition/core/failure";
import type { Failure } from "@nutrition/core/failure";

import type { Print } from "./command.ts";
import { UsageError } from "./command.ts";
import { accountCommands } from "./commands/accounts.ts";
import { doctor } from "./commands/doctor.ts";
import { foodCommands } from "./commands/foods.ts";
import { journalCommands } from "./commands/journal.ts";
import { keyCommands } from "./commands/keys.ts";
import { usageCommands } from "./commands/usage.ts";
import { notRunning } from "./config.ts";
import type { Commands } from "./parse-command-line.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import type { Services } from "./services.ts";

/** Output of a run and its exit code: 0 success, 1 failure or nothing found, 2 usage error. */
export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: 0 | 1 | 2;
}

const COMMANDS: Commands = {
  accounts: { summary: "People's accounts.", commands: accountCommands },
  journal: { summary: "A person's journal as a file.", commands: journalCommands },
  keys: { summary: "API keys of an account.", commands: keyCommands },
  usage: { summary: "Usage and refusals.", commands: usageCommands },
  foods: { summary: "The food tables.", commands: foodCommands },
  doctor,
};

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
    const { found, help } = parseCommandLine(COMMANDS, args);
    if (!found) return done(help.trimEnd());
    const output = await found.command.run(services, found.given, print);
    if (!output) return { stdout: "", stderr: "", exitCode: 0 };
    const result = done(asJson ? JSON.stringify(output.json) : output.text);
    return output.isNegative ? { ...result, exitCode: 1 } : result;
  } catch (error) {
    if (error instanceof UsageError) return failed(asJson, 2, "usage", error.message);
    const { reason, message } = explained(toFailure(error));
    return failed(asJson, 1, reason.toLowerCase(), message);
  }
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
