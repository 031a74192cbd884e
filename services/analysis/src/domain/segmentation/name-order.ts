import { isClass } from "../text/food-words.ts";
import { phraseOf, wordsOf } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import type { PhraseReader } from "./phrase-reader.ts";

const COMMA: Token = { kind: "mark", text: "," };

/**
 * Puts a name from the order of catalogues into that of speech: "cheese, cheddar, 1 oz" becomes
 * "cheddar cheese, 1 oz". A list of foods stays as it is: "rice, chicken, 3 oz".
 */
export function inSpokenOrder(tokens: Tokens, phrases: PhraseReader): Tokens {
  const [first = [], ...pieces] = piecesOf(tokens);
  if (pieces.length === 0) return tokens;
  const { amount, name: noun } = phrases.quantify(first, false);
  const at = pieces.findIndex((piece) => isAmount(piece, phrases));
  const said = at === -1 ? pieces : pieces.slice(0, at);
  // Without an amount, "crackers, cheese" are two foods.
  const isCounted = amount.counted || at !== -1;
  const kind = kindAmong(said, noun, { phrases, isCounted });
  if (!kind || first.at(-1) !== noun.at(-1)) return tokens;
  const start = first.slice(0, first.length - noun.length);
  const name = [...start, ...nameOf(kind, noun, phrases)];
  const rest = pieces.filter((piece) => piece !== kind);
  return [...name, ...rest.flatMap((piece) => [COMMA, ...piece])];
}

/** The piece that says which kind of the noun is meant, if together they name one food. */
function kindAmong(
  pieces: readonly Tokens[],
  noun: Tokens,
  { phrases: { index }, isCounted }: { phrases: PhraseReader; isCounted: boolean },
): Tokens | undefined {
  if (![noun, ...pieces].flat().every(({ kind }) => kind === "word")) return undefined;
  const foods = pieces.filter((piece) => index.findByName(phraseOf(piece)));
  const isListed = (piece: Tokens) =>
    index.vocabulary.catalogue.lists(phraseOf(noun), phraseOf(piece));
  if (foods.length > (isCounted ? 1 : 0) || !foods.every(isListed)) return undefined;
  return foods[0] ?? pieces.find((piece) => index.findByWords(wordsOf([...piece, ...noun])));
}

/** "Cheddar cheese", "chicken thigh"; "salmon" of "fish, salmon", but "beef gravy" of "gravy, beef". */
function nameOf(kind: Tokens, noun: Tokens, { index }: PhraseReader): Tokens {
  const before = [...kind, ...noun];
  const after = [...noun, ...kind];
  if (index.findByName(phraseOf(after))) return after;
  if (index.findByWords(wordsOf(before))) return before;
  const [said, general] = [phraseOf(kind), phraseOf(noun)];
  const isOfGroup = index.findByName(said)?.group === index.findByName(general)?.group;
  const isKind = isOfGroup && index.vocabulary.catalogue.isWider(general, said);
  return isKind || isClass(general) ? kind : before;
}

/** "2 slices", but not "2 slices of toast". */
function isAmount(piece: Tokens, phrases: PhraseReader): boolean {
  const isCounted = piece[0]?.kind === "number";
  return isCounted && !phrases.isName(piece, false);
}

function piecesOf(tokens: Tokens): Tokens[] {
  const isComma = ({ kind, text }: Token) => kind === "mark" && text === COMMA.text;
  const commas = tokens.flatMap((token, at) => (isComma(token) ? [at] : []));
  return [-1, ...commas].map((before, at) => tokens.slice(before + 1, commas[at]));
}
