import { Argument, InvalidArgumentError, Option } from "commander";

import type { Arguments } from "./command.ts";

/**
 * An option that must be given. commander checks those that it knows as mandatory before it looks
 * for unknown ones: it would call a mistyped `--acount` a missing `--account`, and suggest nothing.
 */
export class RequiredOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, `required: ${description}`);
  }
}

/** Positional argument for the account, of commands on an account itself. */
export const accountArgument = new Argument("<ID|EMAIL>", "the account, by id or e-mail address");

/** Option for the account, of commands on its keys or journal. */
export const accountOption = new RequiredOption(
  "--account <ID|EMAIL>",
  "the account, by id or e-mail address",
);

interface Range {
  min: number;
  max: number;
  default: number;
}

/** An option whose value is a whole number from `min` to `max`. */
export function numberOption(flags: string, description: string, range: Range): Option {
  const allowed = `${range.min} to ${range.max}`;
  return new Option(flags, `${description}, ${allowed}`)
    .default(range.default)
    .argParser((text: string) => {
      const number = Number(text);
      if (/^\d+$/.test(text) && number >= range.min && number <= range.max) return number;
      throw new InvalidArgumentError(`It must be a whole number from ${allowed}.`);
    });
}

/** The value of a `numberOption`. */
export function optionNumber({ options }: Arguments, name: string): number {
  return Number(options[name]);
}
