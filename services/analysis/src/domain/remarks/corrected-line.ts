import type { FoundFood } from "../composition/read-part.ts";
import type { LineReader } from "../line-reader.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "../composition/read-part.ts";
import { readRelativeAmount, NAMED_SCORE } from "./remark-amounts.ts";
import { clausesOf, lineWithDetails, withClause } from "./remark-clauses.ts";
import { findStatedPortion } from "../estimate/stated-figures.ts";
import { phraseOf, wordsOf } from "../text/tokens.ts";

/** What the user wrote about a line. */
export interface LineRemarks {
  readonly line: string;
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
}

/** The line as it is meant, with what could not be used of what was said about it. */
export interface CorrectedLine {
  readonly line: string;
  /** What the weights of the line are multiplied by: "only half of that". */
  readonly factor: number;
  readonly unusedDetails: readonly string[];
  readonly unusedCorrection: readonly string[];
}

/** "No, it was": what follows is the correction. */
const OBJECTION =
  /^\s*(?:(?:no[,.!]|no(?= it\b)|nope|wrong|sorry|actually|correction|not quite)[\s,;:.!]*)+/iu;
const IT_WAS =
  /^(?:(?:it|they|there|this|that|i|we)(?:'s|'re)?\s+)?(?:(?:was|were|is|are|had|ate|should be|only|just|more like|really|actually)\s+)*/iu;
const OF_THEM = /\s+(?:of|on|in) (?:them|those|it|that)$/iu;
/** "It had sugar in it": said of a part, not of the whole. */
const HELD =
  /^(?:(?:it|they|there)\s+)?(?:had|has|was|were)\s+(?!no\b)(.+?)\s+(?:in|on|with) (?:it|them|top)$/iu;
const X_NOT_Y = /^(.+?)[\s,]+(?:not|instead of|rather than)\s+(.+)$/iu;
const NOT_X_BUT_Y = /^not\s+(.+?)[\s,]+but\s+(.+)$/iu;
const WITHOUT =
  /^(?:without|no|minus|hold|there was no|i left out|i didn't have)\s+(?:the |any |my )?(\p{L}[\p{L} ]{1,40})$/iu;
/** More is a story and no correction of a line. */
const CLAUSE_CHARACTERS_MAX = 200;
const ADDS = /^(?:and |also |plus |with |extra |i forgot|forgot|add)/iu;

/**
 * The line as the details and the correction have it: another food ("it was brown rice", "chicken,
 * not beef"), another amount ("it was two", "only half of that"), a part more or less, or what the
 * line does not say.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): CorrectedLine {
  const detailed = withDetails(remarks, reader);
  const correction = remarks.correction.replace(OBJECTION, "").trim();
  const factor = readRelativeAmount(correction);
  const none = { factor: 1, unusedDetails: detailed.unused, unusedCorrection: [] };
  if (correction === "") return { ...none, line: detailed.line };
  if (factor !== undefined) return { ...none, line: detailed.line, factor };
  const foods = otherFoods(correction, reader);
  if (foods !== undefined) return { ...none, line: foods };
  let line = detailed.line;
  const unusedCorrection: string[] = [];
  const isOne = X_NOT_Y.test(correction) || NOT_X_BUT_Y.test(correction);
  for (const clause of isOne ? [correction] : clausesOf(correction)) {
    const next = correctedBy(line, clause, reader);
    if (next === undefined) unusedCorrection.push(clause);
    else line = next;
  }
  return { ...none, line, unusedCorrection };
}

/** "It was chicken, rice and broccoli": several foods in place of the line. */
function otherFoods(correction: string, reader: LineReader): string | undefined {
  const said = correction.replace(IT_WAS, "");
  if (said === correction || ADDS.test(said) || /\bnot\b|^no\b|^without\b/iu.test(said))
    return undefined;
  const { foods, unknown } = reader.read(said);
  const isClear = foods.length > 1 && foods.every(({ match }) => match.score >= NAMED_SCORE);
  return isClear && unknown.length === 0 ? said : undefined;
}

/** Details of a line that names no food are all there is to go by. */
function withDetails({ line, details }: LineRemarks, reader: LineReader) {
  if (details === "") return { line, unused: [] };
  if (reader.read(line).foods.length > 0) return lineWithDetails(line, details, reader);
  const { foods, unknown } = reader.read(details);
  const isRead = foods.length > unknown.length;
  return isRead ? { line: details, unused: [line] } : { line, unused: [] };
}

/** The line as one thing said about it has it; undefined when it could not be used. */
function correctedBy(line: string, correction: string, reader: LineReader): string | undefined {
  if (correction.length > CLAUSE_CHARACTERS_MAX || reader.work.isSpent) return undefined;
  const held = HELD.exec(correction.trim())?.[1];
  if (held) return withClause(line, `with ${held}`, reader);
  const said = correction
    .replace(IT_WAS, "")
    .replace(OF_THEM, "")
    .replace(/[.!]+$/u, "")
    .trim();
  const [, wrong, right] = NOT_X_BUT_Y.exec(said) ?? [];
  const [, meant = right, denied = wrong] = X_NOT_Y.exec(said) ?? [];
  if (meant && denied) return replaced(line, { meant, denied }, reader);
  const without = WITHOUT.exec(said)?.[1];
  const shorter = without && withoutAddition(line, without);
  if (shorter) return shorter;
  if (without || ADDS.test(said)) return withClause(line, said, reader);
  return (
    withCount(line, said, reader) ??
    (isKind(said, reader) ? withClause(line, said, reader) : undefined) ??
    withOtherFood(line, said, reader) ??
    withPortion(line, said, reader) ??
    withClause(line, said, reader)
  );
}

/** "Chicken, not beef" in the words of the line, or else as another food. */
function replaced(
  line: string,
  { meant, denied }: { meant: string; denied: string },
  reader: LineReader,
): string | undefined {
  const written = new RegExp(String.raw`(?<!\p{L})${escaped(denied)}s?(?!\p{L})`, "iu");
  if (written.test(line)) return line.replace(written, () => meant);
  return correctedBy(line, meant, reader);
}

/** Without "with the butter" in the words of the line. */
function withoutAddition(line: string, part: string): string | undefined {
  const joined = new RegExp(
    String.raw`(?:\s*,|\s+(?:with|and|plus|&))\s+(?:a |an |the |some |of )*${escaped(part)}(?!\p{L})`,
    "iu",
  );
  return joined.test(line) ? line.replace(joined, "") : undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** "It was two", "it was large": another count or size of what the line names. */
function withCount(line: string, said: string, reader: LineReader): string | undefined {
  const { amount, name } = reader.quantify(said);
  if (name.length > 0) return undefined;
  const own = reader.quantify(line);
  const food = phraseOf(own.name);
  if (amount.measure || (amount.counted && (amount.unit || own.amount.measure))) {
    return `${said} ${food}`;
  }
  const size = amount.size ?? own.amount.size ?? "";
  const count = amount.counted ? amount.count : own.amount.count;
  if (!amount.counted && !amount.size) return undefined;
  if (amount.size && !amount.counted && own.amount.measure) return `${amount.size} ${food}`;
  return `${count} ${size} ${own.amount.unit ?? ""} ${food}`.replace(/ +/gu, " ");
}

/** A word that describes, or a milk: no other food, but another kind of the same. */
function isKind(said: string, reader: LineReader): boolean {
  const words = wordsOf(reader.tokensOf(said));
  return words.length > 0 && (words.every(isDescription) || words.at(-1) === "milk");
}

/** The one food that the correction names clearly, in the line's amount unless it says another. */
function withOtherFood(line: string, said: string, reader: LineReader): string | undefined {
  const { foods, unknown } = reader.read(said);
  const [found] = foods;
  const isClear = foods.length === 1 && unknown.length === 0;
  if (!isClear || !found || found.match.score < NAMED_SCORE) return undefined;
  if (reader.read(line).foods.length > 1) return undefined;
  return withOtherFilling(line, found, reader) ?? withFood(line, found, reader);
}

/** "It was beef" of a chicken curry is a beef curry. */
function withOtherFilling(line: string, found: FoundFood, reader: LineReader): string | undefined {
  const { name } = reader.quantify(line);
  const head = wordsOf(name).at(-1);
  if (name.length < 2 || !head || hasAmount(found)) return undefined;
  const { foods, unknown } = reader.read(`${found.text} ${head}`);
  const [dish] = foods;
  const isDish =
    foods.length === 1 && unknown.length === 0 && dish?.match.food !== found.match.food;
  if (!isDish || !dish || dish.match.score < NAMED_SCORE || dish.match.unmatched.length > 0) {
    return undefined;
  }
  return withFood(line, { ...found, text: dish.text }, reader);
}

/** The food in the amount that the correction says, or else in that of the line. */
function withFood(line: string, { text, amount }: FoundFood, reader: LineReader): string {
  if (hasAmount({ amount })) return text;
  const name = wordsOf(reader.quantify(line).name);
  const said = wordsOf(reader.tokensOf(line)).filter((word) => !name.includes(word));
  return [...said, text].join(" ");
}

function withPortion(line: string, said: string, reader: LineReader): string | undefined {
  const portion = findStatedPortion(said);
  return portion && `${portion} ${wordsOf(reader.quantify(line).name).join(" ")}`;
}
