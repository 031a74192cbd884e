import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";

import type { Services } from "./services.ts";

/** Output of a command: one JSON value, or text for people. */
export interface Output {
  json: unknown;
  text: string;
  /** True when something was not found or is unhealthy, which exit code 1 reports. */
  isNegative?: boolean;
}

/** Values of options by name, as `parseArgs` returns them. */
export interface Arguments {
  options: { readonly [name: string]: string | boolean | undefined };
  positionals: readonly string[];
}

/** Writes text to standard output; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

export interface Command {
  /** Usage after the command's name, such as `ID|EMAIL [--all]`. */
  synopsis: string;
  /** Summary in one line. */
  summary: string;
  /** Explanations of arguments and options, one per line. */
  details: readonly string[];
  options: ParseArgsOptionsConfig;
  /** Names of required arguments. */
  positionals: readonly string[];
  /** Runs the command. Resolves with undefined when it has already printed its output. */
  run(services: Services, given: Arguments, print: Print): Promise<Output | undefined>;
}

/** Wrong usage of a command. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Parses the arguments of a command; a `UsageError` says what is wrong. */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const { values, positionals, tokens } = parseOrExplain(command, args);
  refuseRepeated(tokens);
  const [missing] = command.positionals.slice(positionals.length);
  if (missing) throw new UsageError(`Give ${missing}.`);
  if (positionals.length > command.positionals.length) {
    throw new UsageError(`Too many arguments. Expected: ${command.synopsis || "none"}`);
  }
  return { options: values as Arguments["options"], positionals };
}

function parseOrExplain(command: Command, args: readonly string[]) {
  const options = {
    ...command.options,
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const allowed = { allowPositionals: true, allowNegative: true } as const;
    return parseArgs({ args: [...args], options, ...allowed, tokens: true });
  } catch (error) {
    // Its messages contain names of options but no other values.
    throw new UsageError(error instanceof Error ? error.message : "The options cannot be read.");
  }
}

function refuseRepeated(tokens: ReturnType<typeof parseOrExplain>["tokens"]): void {
  const namesByOption = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    const before = namesByOption.get(name);
    if (before === rawName) throw new UsageError(`Give ${rawName} once.`);
    if (before !== undefined) throw new UsageError(`Give ${before} or ${rawName}, not both.`);
    namesByOption.set(name, rawName);
  }
}

/** Returns the text of a required option. */
export function requireOption(given: Arguments, name: string): string {
  const value = optionText(given, name);
  if (value === undefined || value === "") throw new UsageError(`Give --${name}.`);
  return value;
}

export function optionText({ options }: Arguments, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function optionFlag({ options }: Arguments, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === "boolean" ? value : undefined;
}
