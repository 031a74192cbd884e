import type { Step } from "./session.ts";

const TYPING_MS = 25;
const BEFORE_OUTPUT_MS = 600;
const AFTER_STEP_MS = 1_800;
const LAST_FRAME_MS = 9_000;

/** When parts of a recording appear, in milliseconds from its start. */
export interface Timeline {
  /** The typing of each line of each command; ids are unique. */
  readonly lines: readonly { readonly id: string; readonly from: number; readonly to: number }[];
  /** The output of each step. */
  readonly outputs: readonly number[];
  /** Length of one loop, including the time that the last frame stays. */
  readonly length: number;
}

/** Plans the recording: types each command, then shows its output. */
export function timelineOf(steps: readonly Step[]): Timeline {
  const lines: { id: string; from: number; to: number }[] = [];
  const outputs: number[] = [];
  let now = 0;
  for (const { command } of steps) {
    for (const line of command.split("\n")) {
      const to = now + line.length * TYPING_MS;
      lines.push({ id: `c${lines.length}`, from: now, to });
      now = to;
    }
    now += BEFORE_OUTPUT_MS;
    outputs.push(now);
    now += AFTER_STEP_MS;
  }
  return { lines, outputs, length: now + LAST_FRAME_MS };
}
