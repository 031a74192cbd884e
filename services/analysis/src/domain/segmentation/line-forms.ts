import type { FoodIndex } from "../matching/food-index.ts";
import { isClass } from "../text/food-words.ts";
import { isWord, phraseOf, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import { EACH, LISTS } from "../text/words.ts";
import type { Quantified } from "./amount.ts";

/** Maximum words of a list of foods; a longer text is running text. */
const LIST_WORDS_MAX = 14;
/** Maximum tokens of a recipe ingredient. */
const INGREDIENT_TOKENS_MAX = 25;

/** Whether a text is running text instead of a list of foods. */
export function isRunningText(tokens: Tokens): boolean {
  const said = tokens.filter(({ kind }) => kind === "word");
  const isEnded = tokens
    .slice(1, -1)
    .some(({ kind, text }) => kind === "mark" && /[.!?]/.test(text));
  const isLong = said.length > LIST_WORDS_MAX;
  return isEnded || isLong || said.some((token) => isWord(token, LISTS.sentenceWords));
}

/**
 * Drops "sushi:" before a list with amounts, and "dinner with Priya:", which names no food;
 * "chicken: 150 g" is not a heading.
 */
export function withoutHeading(tokens: Tokens, index: FoodIndex): Tokens {
  const colon = tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const after = tokens.slice(colon + 1);
  const names = after.filter(({ kind, text }) => kind === "word" && !isUnit(text));
  const heads = colon > 0 && after[0]?.kind === "number" && names.length > 0;
  const before = tokens.slice(0, colon);
  const isMeasured = before.some(({ kind, text }) => kind === "number" && text !== "1");
  const namesFood = before.some(({ text }) => index.findByName(text));
  return (heads && !isMeasured) || (colon > 0 && names.length > 0 && !namesFood) ? after : tokens;
}

/** Whether a line is a recipe ingredient: "2 carrots, peeled and diced". */
export function isRecipeLine(tokens: Tokens): boolean {
  if (tokens.length > INGREDIENT_TOKENS_MAX) return false;
  const aside = tokens.findIndex(({ kind, text }) => kind === "mark" && /[,(]/.test(text));
  const said = aside === -1 ? [] : tokens.slice(aside);
  // "6 slices bacon, cooked and crumbled".
  if (said.some((token) => isWord(token, LISTS.cookedStates))) return false;
  // "2 x 150 g salmon fillets, skin on", "2 (6 oz) steaks": what a piece weighs as it is sold.
  const isPerPiece =
    said.length > 0 && /^\d\S* (?:x|\() \d/u.test(tokens.map(({ text }) => text).join(" "));
  return (
    isPerPiece ||
    said.some((token) => isWord(token, LISTS.preparations) || isWord(token, EACH)) ||
    (tokens[0]?.kind === "number" && tokens.some((token) => isWord(token, LISTS.recipeWords)))
  );
}

/** Reads phrases about one food. */
interface PhraseParser {
  readonly index: FoodIndex;
  quantified(tokens: Tokens): Quantified;
  isName(tokens: Tokens): boolean;
}

const COMMA: Token = { kind: "mark", text: "," };

/**
 * Puts a name from the order of catalogues into that of speech: "cheese, cheddar, 1 oz" becomes
 * "cheddar cheese, 1 oz". A list of foods stays as it is: "rice, chicken, 3 oz".
 */
export function inSpokenOrder(tokens: Tokens, parser: PhraseParser): Tokens {
  const [first = [], ...pieces] = piecesOf(tokens);
  if (pieces.length === 0) return tokens;
  const { amount, name: noun } = parser.quantified(first);
  const at = pieces.findIndex((piece) => isAmount(piece, parser));
  // "Ice cream, 140 g, vanilla".
  const last = at === pieces.length - 2 ? pieces.slice(-1) : [];
  const said = at === -1 ? pieces : [...pieces.slice(0, at), ...last];
  // Without an amount, "crackers, cheese" are two foods.
  const isCounted = amount.counted || at !== -1;
  const kind = kindAmong(said, noun, { parser, isCounted });
  if (!kind || first.at(-1) !== noun.at(-1)) return tokens;
  const start = first.slice(0, first.length - noun.length);
  const name = [...start, ...nameOf(kind, noun, parser)];
  const rest = pieces.filter((piece) => piece !== kind);
  return [...name, ...rest.flatMap((piece) => [COMMA, ...piece])];
}

/** The piece that says which kind of the noun is meant, if together they name one food. */
function kindAmong(
  pieces: readonly Tokens[],
  noun: Tokens,
  { parser: { index }, isCounted }: { parser: PhraseParser; isCounted: boolean },
): Tokens | undefined {
  if (![noun, ...pieces].flat().every(({ kind }) => kind === "word")) return undefined;
  const foods = pieces.filter((piece) => index.findByName(phraseOf(piece)));
  const isListed = (piece: Tokens) =>
    index.vocabulary.catalogue.lists(phraseOf(noun), phraseOf(piece));
  if (foods.length > (isCounted ? 1 : 0) || !foods.every(isListed)) return undefined;
  return foods[0] ?? pieces.find((piece) => index.findByWords(wordsOf([...piece, ...noun])));
}

/** "Cheddar cheese", "chicken thigh"; "salmon" of "fish, salmon", but "beef gravy" of "gravy, beef". */
function nameOf(kind: Tokens, noun: Tokens, { index }: PhraseParser): Tokens {
  const before = [...kind, ...noun];
  const after = [...noun, ...kind];
  if (index.findByName(phraseOf(after))) return after;
  if (index.findByWords(wordsOf(before))) return before;
  const [said, general] = [phraseOf(kind), phraseOf(noun)];
  const isOfGroup = index.findByName(said)?.group === index.findByName(general)?.group;
  return isOfGroup || isClass(general) ? kind : before;
}

/** "2 slices", but not "2 slices of toast". */
function isAmount(piece: Tokens, parser: PhraseParser): boolean {
  const first = piece.find((token) => !isWord(token, LISTS.amountFillers));
  return first?.kind === "number" && !parser.isName(piece);
}

function piecesOf(tokens: Tokens): Tokens[] {
  const isComma = ({ kind, text }: Token) => kind === "mark" && text === COMMA.text;
  const commas = tokens.flatMap((token, at) => (isComma(token) ? [at] : []));
  return [-1, ...commas].map((before, at) => tokens.slice(before + 1, commas[at]));
}
