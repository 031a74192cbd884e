import { isBrand } from "../text/brands.ts";
import { AND, WITH } from "../text/connectors.ts";
import type { IsName } from "./line-asides.ts";
import { isWord, phraseOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { words } from "../text/words.ts";

const PLACES = words("from at by");
const MEALS = words("breakfast lunch dinner supper snack brunch dessert meal starter");
const PREAMBLE = words(
  "for at my i im ive we you he she they had have has having ate eat eaten eating drank drink drunk " +
    "drinking got get getting ordered order grabbed grab finished finish shared share snacked snack " +
    "munched devoured consumed enjoyed made make cooked picked bought took take tried sipped chugged " +
    "on today yesterday this morning afternoon evening night tonight last just also then only was were " +
    "is are as early late later me us so about approximately around roughly some another logged log " +
    "add please record track the usual consisted of and up down out too with there it",
);
/** Begin what says when, where, why or with whom, in the words of a line after amounts are read. */
const CONTEXT = new RegExp(
  [
    String.raw`^(?:as|for) (?:1 |my |the |our )*(?:quick |light |little |late |mid morning |afternoon |early )*(?:snack|breakfast|lunch|dinner|supper|brunch|dessert|starter|treat|side|main|meal)\b`,
    String.raw`^(?:after|before|during) (?:my |the |1 )*(?:work|gym|training|workout|dinner|lunch|breakfast|bed|bedtime|school|run|swim|practice|class|meeting|game|movie|match|walk)\b`,
    String.raw`^on (?:my|the) way(?: (?:to|home|back)(?: (?:the )?(?:work|school|gym|office|home))?)?`,
    String.raw`^(?:by|to) (?:my|your|him|her|our|them)sel(?:f|ves?)\b`,
    String.raw`^with (?:my |the |our |some )*(?:friend|family|kid|wife|husband|colleague|coworker|mom|mum|dad|girlfriend|boyfriend|partner|boss|team|child|children|daughter|son)\b`,
    String.raw`^(?:this|last|yesterday|earlier) (?:morning|afternoon|evening|night)\b`,
    String.raw`^in the (?:morning|afternoon|evening|car|office|night|pub|bar|cafe|park|garden|kitchen|canteen|cafeteria|cinema)\b`,
    String.raw`^(?:while|because|since|whilst) .*`,
    String.raw`^so i .*`,
    String.raw`^(?:had|ate|drank) (?:about )?(?=\d)`,
    String.raw`^(?:today|yesterday|tonight|earlier|later|now|too|alone)$`,
  ].join("|"),
);
const CONTEXT_WORDS_MAX = 12;

/** A line without a heading, without when and where it was, and without the sentence around it. */
export function withoutContext(tokens: readonly Token[], isName: IsName): readonly Token[] {
  const listed = withoutHeading(tokens);
  const eaten = withoutPreamble(withoutCircumstances(listed), isName);
  return withoutPlaces(eaten, isName);
}

/** Without "sushi:" before a list with amounts; "chicken: 150 g" is no heading. */
function withoutHeading(tokens: readonly Token[]): readonly Token[] {
  const colon = tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const after = tokens.slice(colon + 1);
  const names = after.filter(({ kind, text }) => kind === "word" && text.length > 3);
  const heads = colon > 0 && after[0]?.kind === "number" && names.length > 0;
  const isMeasured = tokens
    .slice(0, colon)
    .some(({ kind, text }) => kind === "number" && text !== "1");
  return heads && !isMeasured ? after : tokens;
}

/** Without "as a snack", "after work", "with my friends", wherever it stands. */
function withoutCircumstances(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const run = tokens.slice(at, at + CONTEXT_WORDS_MAX);
    const end = run.findIndex(({ kind }) => kind === "mark");
    const found = kept.length > 0 && CONTEXT.exec(phraseOf(end === -1 ? run : run.slice(0, end)));
    if (found) at += found[0].trim().split(" ").length - 1;
    else kept.push(token);
  }
  return kept;
}

/** Without "for breakfast I had", "lunch:", "dinner was" and the like. */
function withoutPreamble(tokens: readonly Token[], isName: IsName): readonly Token[] {
  let start = 0;
  while (start < tokens.length - 1 && !beginsName(tokens.slice(start), isName)) {
    const token = tokens[start];
    const isPart = token?.kind === "mark" || isWord(token, MEALS) || isWord(token, PREAMBLE);
    if (!isPart) break;
    start += 1;
  }
  return tokens.slice(start);
}

const NAME_WORDS_MAX = 5;

/** Whether a name of several words begins here: "breakfast burrito" is no heading. */
function beginsName(tokens: readonly Token[], isName: IsName): boolean {
  for (let length = Math.min(NAME_WORDS_MAX, tokens.length); length > 1; length -= 1) {
    const run = tokens.slice(0, length);
    if (run.every(({ kind }) => kind === "word") && isName(run)) return true;
  }
  return tokens.length === 1;
}

/** Without "from the corner shop": names of places are no food, but a maker's name tells which. */
function withoutPlaces(tokens: readonly Token[], isName: IsName): readonly Token[] {
  if (isName(tokens)) return tokens;
  const kept: Token[] = [];
  let leavingOut = false;
  for (const [at, token] of tokens.entries()) {
    const isMaker = isBrand(tokens[at + 1]?.text ?? "");
    if (isWord(token, PLACES) && kept.length > 0 && isMaker) continue;
    if (isWord(token, PLACES) && kept.length > 0) leavingOut = true;
    else if (token.kind === "mark" || isWord(token, WITH) || isWord(token, AND)) leavingOut = false;
    if (!leavingOut) kept.push(token);
  }
  return kept;
}
