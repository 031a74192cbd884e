import { Command as Parser, CommanderError } from "commander";

import type { Arguments, Command, CommandGroup } from "./command.ts";
import { UsageError } from "./command.ts";
import { explainUsage } from "./explain-usage.ts";
import { ENVIRONMENT, HELP, PROGRAM } from "./help.ts";
import { RequiredOption } from "./options.ts";

/** Commands, and groups of them, by name. */
export interface Commands {
  readonly [name: string]: Command | CommandGroup;
}

/** A command with its valid arguments; or no command, and the help that was asked for. */
export interface Parsed {
  help: string;
  found?: { command: Command; given: Arguments };
}

/** Parses a command line; a `UsageError` says what is wrong with it. */
export function parseCommandLine(commands: Commands, args: readonly string[]): Parsed {
  const parsed: Parsed = { help: "" };
  const program = new Parser(PROGRAM)
    .description("The operator's command line of the nutrition journal service.")
    .usage("SUBJECT COMMAND [options]")
    .option("--json", "print exactly one JSON value; errors are JSON on standard error")
    .helpOption("-h, --help", "print this")
    .addHelpText("after", ENVIRONMENT)
    .configureHelp(HELP)
    .configureOutput({
      writeOut: (text) => void (parsed.help += text),
      writeErr: () => {},
    });
  addCommands(program, commands, { args, parsed });
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    // After help, commander ends with an error too.
    if (!(error instanceof CommanderError)) throw error;
  }
  return parsed;
}

interface Parsing {
  args: readonly string[];
  parsed: Parsed;
}

function addCommands(parent: Parser, commands: Commands, parsing: Parsing): void {
  parent.helpCommand(false);
  explainErrors(parent, parsing.args);
  for (const [name, described] of Object.entries(commands)) {
    const parser = parent.command(name).description(described.summary);
    if ("commands" in described) {
      parser.usage("COMMAND [options]");
      parser.addHelpText("after", `\nFor one command: ${PROGRAM} ${name} COMMAND --help`);
      addCommands(parser, described.commands, parsing);
    } else {
      describeCommand(parser, described);
      explainErrors(parser, parsing.args);
      parser.action(() => {
        requireOptions(parser);
        const given = { options: parser.optsWithGlobals(), positionals: parser.args };
        parsing.parsed.found = { command: described, given };
      });
    }
  }
}

function describeCommand(parser: Parser, { positionals, options, details }: Command): void {
  for (const argument of positionals) parser.addArgument(argument);
  for (const option of options) parser.addOption(option);
  refuseDoubtful(parser);
  if (details.length > 0) parser.addHelpText("after", ["", ...details].join("\n"));
}

function explainErrors(parser: Parser, args: readonly string[]): void {
  parser.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    const names = parser.commands.map((command) => command.name());
    throw new UsageError(explainUsage(error, names, args));
  });
}

function requireOptions(parser: Parser): void {
  const values: Arguments["options"] = parser.opts();
  const missing = parser.options.find(
    (option) => option instanceof RequiredOption && !values[option.attributeName()],
  );
  if (missing) throw new UsageError(`Give --${missing.name()}.`);
}

/**
 * Refuses what commander lets pass: an option that is given twice or with its opposite, the last
 * of which would count, and another option where the value of an option belongs.
 */
function refuseDoubtful(parser: Parser): void {
  const given = new Map<string, string>();
  for (const option of parser.options) {
    const flag = `--${option.name()}`;
    const key = option.attributeName();
    parser.on(`option:${option.name()}`, (value: string | undefined) => {
      const before = given.get(key);
      given.set(key, flag);
      if (before === flag) throw new UsageError(`Give ${flag} once.`);
      if (before !== undefined) throw new UsageError(`Give ${before} or ${flag}, not both.`);
      if (/^-./.test(value ?? "")) {
        throw new UsageError(`Give ${flag} a value that does not begin with a dash.`);
      }
    });
  }
}
