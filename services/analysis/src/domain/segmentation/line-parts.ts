import { phraseOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";

/** How a food of a line relates to the ones before it. */
export type Role =
  /** A food of its own. */
  | "main"
  /** Eaten with the main food: after "with", or before "on". */
  | "addition"
  /** Beside the main food: after "and", "plus" or a comma. */
  | "companion";

/** One food of a line, as it was written. */
export interface LinePart {
  readonly role: Role;
  /** Whether it is what the main food was cooked or packed in. */
  readonly isMedium: boolean;
  readonly tokens: readonly Token[];
  /** Whether words beside a known name make it another food: "dragon steak", "grunkle soup". */
  readonly isRenamed?: boolean;
}

/** The words of a part as they are shown. */
export function partText(part: LinePart): string {
  return phraseOf(part.tokens);
}
