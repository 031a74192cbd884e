import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** An amount against its goal. */
export interface GoalProgress {
  readonly label: string;
  readonly value: number;
  readonly goal: number;
  /** Whether the goal is a maximum; otherwise it is a minimum. */
  readonly isCeiling: boolean;
  /** Writes an amount with its unit. */
  readonly write: (value: number) => string;
}

/** A bar of the amount against its goal, with the difference in words. */
export function goalProgress({ label, value, goal, isCeiling, write }: GoalProgress): Markup {
  const text = `${label}: ${write(value)} of ${write(goal)}`;
  const isOver = isCeiling && value > goal;
  // A full bar whose `high` marks it as over the goal for the style sheet and assistive technology.
  const scale = isOver
    ? markup`max="${value}" high="${goal}" optimum="0" value="${value}"`
    : markup`max="${goal > 0 ? goal : 1}" value="${goal > 0 ? Math.min(value, goal) : 1}"`;
  return markup`<meter min="0" ${scale} aria-label="${text}">${text}</meter>
    ${distance({ label, value, goal, isCeiling, write })}`;
}

function distance({ value, goal, isCeiling, write }: GoalProgress): Markup {
  // Compares the rounded difference, so that nobody is "0 g over".
  const difference = write(Math.abs(goal - value));
  if (difference === write(0)) return markup`<span class="distance soft">Goal met</span>`;
  if (value < goal) return markup`<span class="distance soft">${difference} left</span>`;
  return isCeiling
    ? markup`<span class="distance over">${difference} over</span>`
    : markup`<span class="distance soft">Goal met, ${difference} more</span>`;
}
