import type { Command as Parser, HelpConfiguration } from "commander";
import { Help } from "commander";

/** How the program is started, as help shows it. */
export const PROGRAM = "npm run -s admin --";

/** The end of the program's help. */
export const ENVIRONMENT = `
The services are found through the local launcher (npm start), or through the environment:
AUTH_ADDRESS, JOURNAL_ADDRESS, LIMITS_ADDRESS, ANALYSIS_ADDRESS (host:port), BASE_URL and
IDENTITY_PRIVATE_KEY (the operator's Ed25519 key, a JWK).

Exit codes: 0 success; 1 refused, failed or nothing found; 2 usage error.`;

/** Differences from commander's own help. */
export const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  subcommandTerm: wordsOf,
  formatHelp(parser: Parser, help: Help) {
    // Set only here, because commander also takes its suggestions for mistyped words from it.
    help.visibleCommands = commandsOf;
    return Help.prototype.formatHelp.call(help, parser, help);
  },
};

/** The commands with their subjects, as they are typed. */
function wordsOf(parser: Parser): string {
  const { parent } = parser;
  return parent?.parent ? `${wordsOf(parent)} ${parser.name()}` : parser.name();
}

/** The commands of all subjects below, because a subject alone does nothing. */
function commandsOf({ commands }: Parser): Parser[] {
  return commands.flatMap((parser) =>
    parser.commands.length === 0 ? [parser] : commandsOf(parser),
  );
}
