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
  "AUTH_ADDRESS, JOURNAL_ADDRESS, LIMITS_ADDRESS, ANALYSIS_ADDRESS (host:port), BASE_URL and",
  "IDENTITY_PRIVATE_KEY (the operator's Ed25519 key, a JWK).",
  "",
  "Exit codes: 0 success; 1 refused, failed or nothing found; 2 wrong usage.",
];

/** Overview for somebody new to the program. */
export function programHelp(
  groups: { readonly [name: string]: CommandGroup },
  commands: CommandGroup["commands"],
): string {
  const lines = [
    ...Object.entries(groups).flatMap(([name, group]) => commandLines(name, group)),
    ...Object.entries(commands).map(commandLine),
  ];
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
  return Object.entries(group.commands).map(([command, described]) =>
    commandLine([`${name} ${command}`, described]),
  );
}

function commandLine([path, { summary }]: [path: string, command: Command]): string {
  return `  ${path.padEnd(18)} ${summary}`;
}
