import type { Argument, Option } from "commander";

import type { Services } from "./services.ts";

/** Output of a command: one JSON value, or text for people. */
export interface Output {
  json: unknown;
  text: string;
  /** True when something was not found or is unhealthy, which exit code 1 reports. */
  isNegative?: boolean;
}

/** A valid command line: values of options by their name in camel case, and the arguments. */
export interface Arguments {
  options: { readonly [name: string]: unknown };
  positionals: readonly string[];
}

/** Writes text to standard output; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

export interface Command {
  /** Summary in one line. */
  summary: string;
  /** Additional lines of its help. */
  details: readonly string[];
  options: readonly Option[];
  /** Required arguments. */
  positionals: readonly Argument[];
  /** Runs the command. Resolves with undefined when it has already printed its output. */
  run(services: Services, given: Arguments, print: Print): Promise<Output | undefined>;
}

/** Commands of one subject, such as accounts, by name. */
export interface CommandGroup {
  summary: string;
  commands: { readonly [name: string]: Command };
}

/** A command used incorrectly. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function optionText({ options }: Arguments, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function optionFlag({ options }: Arguments, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === "boolean" ? value : undefined;
}
