import type { Command } from "./command.ts";

/** Commands of one subject, such as accounts, by name. */
export interface CommandGroup {
  summary: string;
  commands: { readonly [name: string]: Command };
}

const PROGRAM = "npm run -s admin --";

const COMMON = [
  "--json        print exactly one JSON value; errors are JSON on standard error",
  "--help, -h    print this",
];

const ENVIRONMENT = [
  "The services are found through the local launcher (npm start), or through the environment:",
  "AUTH_ADDRESS, JOURNAL_ADDRESS, LIMITS_ADDRESS, ANALYSIS_ADDRESS (host:port) and",
  "IDENTITY_PRIVATE_KEY (the operator's Ed25519 key, a JWK).",
  "",
  "Exit codes: 0 done, 1 refused, failed or nothing found, 2 the command was not given as it must be.",
];

/** What there is, for somebody who has never seen the program. */
export function programHelp(groups: { readonly [name: string]: CommandGroup }): string {
  const lines = Object.entries(groups).flatMap(([name, group]) => commandLines(name, group));
  return [
    "The operator's command line of the nutrition journal service.",
    "",
    `Usage: ${PROGRAM} SUBJECT COMMAND [OPTIONS]`,
    "",
    ...lines,
    "",
    ...COMMON,
    "",
    ...ENVIRONMENT,
  ].join("\n");
}

/** The commands of one subject. */
export function groupHelp(name: string, group: CommandGroup): string {
  const usage = `Usage: ${PROGRAM} ${name} COMMAND [OPTIONS]`;
  const more = `For one command: ${PROGRAM} ${name} COMMAND --help`;
  return [group.summary, "", usage, "", ...commandLines(name, group), "", more].join("\n");
}

/** One command with its arguments and options. */
export function commandHelp(path: string, command: Command): string {
  const { summary, synopsis, details } = command;
  const usage = `Usage: ${PROGRAM} ${path} ${synopsis}`.trimEnd();
  return [summary, "", usage, "", ...details, ...(details.length > 0 ? [""] : []), ...COMMON].join(
    "\n",
  );
}

function commandLines(name: string, group: CommandGroup): string[] {
  return Object.entries(group.commands).map(
    ([command, { summary }]) => `  ${`${name} ${command}`.padEnd(18)} ${summary}`,
  );
}
