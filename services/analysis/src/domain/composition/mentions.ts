import { hasAmount } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";

/**
 * The parts of a text that speaks of one food more than once, each food once: "I packed a peach, and
 * ate the peach", "we went for sushi and I had six pieces of tuna roll", "scrambled eggs, 2 eggs".
 */
export function withoutMentions(parts: readonly ReadPart[]): readonly ReadPart[] {
  const counted = parts.map((part, at) => countedLater(part, parts.slice(at + 1)));
  const kept: ReadPart[] = [];
  counted.forEach((part, at) => {
    const isKind = counted.slice(at + 1).some((later) => isKindOf(part, later));
    const isAgain = !hasAmount(part) && kept.some((earlier) => isSame(earlier, part));
    const isCounted = counted
      .slice(0, at)
      .some((earlier) => earlier.amount === part.amount && hasAmount(part));
    if (!isKind && !isAgain && !isCounted) kept.push(part);
  });
  return kept;
}

/** "Scrambled eggs, 2 eggs": so many of what was named before. */
function countedLater(part: ReadPart, rest: readonly ReadPart[]): ReadPart {
  if (hasAmount(part) || part.name.length < 2) return part;
  const count = rest.find(
    ({ name, amount }) =>
      name.length === 1 && name[0] === part.name.at(-1) && amount.counted && !amount.unit,
  );
  return count ? { ...part, amount: count.amount } : part;
}

function isSame(one: ReadPart, other: ReadPart): boolean {
  return one.match !== undefined && one.match.food === other.match?.food;
}

/** Whether a name of one word, without a weight or a unit, is of the kind that a later part tells. */
function isKindOf(part: ReadPart, later: ReadPart): boolean {
  const [word, ...others] = part.name;
  const { unit, measure, size } = part.amount;
  if (word === undefined || others.length > 0 || unit || measure || size) return false;
  const told = [...later.name, ...(later.match?.food.name.split(" ") ?? [])];
  const isTold = later.match !== undefined && later.name.length > 1 && told.includes(word);
  return isTold && (hasAmount(later) || !hasAmount(part));
}
