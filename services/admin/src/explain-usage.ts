import type { CommanderError } from "commander";

/** A word that may be repeated in a message; any other may be a misplaced secret. */
const PLAIN_WORD = /^[a-z-]{1,20}$/;

/**
 * Explains in a line of plain text what is wrong with a command line.
 *
 * @param names commands that can follow where commander stopped
 * @param args the whole command line
 */
export function explainUsage(
  { code, message }: CommanderError,
  names: readonly string[],
  args: readonly string[],
): string {
  const known =
    names.length === 0 ? [] : [`The commands are ${names.join(", ")}; --help explains them.`];
  if (code === "commander.help") return ["Give a command.", ...known].join(" ");
  // commander lists the arguments without quotes, so that those to hide cannot be found reliably.
  if (code === "commander.excessArguments") return "Too many arguments.";
  const [problem = "", suggestion] = withoutSecrets(message, args)
    .replace(/^error: /, "")
    .split(/\n\((?=Did you mean)/);
  const sentence = `${problem[0]?.toUpperCase()}${problem.slice(1).replace(/\.$/, "")}.`;
  const hint = suggestion === undefined ? [] : [suggestion.replace(/\)$/, "")];
  return [sentence, ...hint, ...known].join(" ");
}

/** Hides the words that commander quotes, of `--option=value` the value, except for plain ones. */
function withoutSecrets(message: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.slice(arg.indexOf("=") + 1)])
    .filter((word) => !PLAIN_WORD.test(word))
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(`'${word}'`, "'…'"), message);
}
