// Process that writes the output of a start's programs to their log files. It outlives a killed
// launcher, so that the programs' last output is not lost, and exits after the last of them.
import { Socket } from "node:net";

import { DRAINED, FIRST_INPUT } from "./log-outputs.ts";
import { LogView, type ViewStyle } from "./log-view.ts";
import { RotatingLog } from "./rotating-log.ts";

/**
 * Maximum number of unconfirmed messages to the launcher, so that a paused terminal blocks no
 * program.
 */
const SHOWN_AHEAD_MAX = 64;

/** The launcher that asked may have been killed. */
const ignoreFault = () => {};

const conditions = new Set<unknown>();
let style: ViewStyle | undefined;
process.on("message", (asked: ViewStyle) => {
  style = asked;
});

let underWay = 0;
let left = 0;

function show(lines: string[]): void {
  if (lines.length === 0) return;
  if (underWay >= SHOWN_AHEAD_MAX) {
    left += lines.length;
    return;
  }
  const text = left === 0 ? lines : [`… ${left} lines are only in the files …`, ...lines];
  left = 0;
  underWay += 1;
  process.send?.(text.join("\n"), () => (underWay -= 1));
}

for (const [index, path] of process.argv.slice(2).entries()) {
  const log = new RotatingLog(path);
  const input = new Socket({ fd: FIRST_INPUT + index });
  let view: LogView | undefined;
  const write = (chunk: Buffer) => {
    log.write(chunk);
    if (style) show((view ??= new LogView(style, conditions)).take(chunk));
  };
  input.on("data", (chunk: Buffer) => {
    const at = chunk.indexOf(DRAINED);
    if (at < 0) return write(chunk);
    write(Buffer.concat([chunk.subarray(0, at), chunk.subarray(at + 1)]));
    process.send?.(index, ignoreFault);
  });
}
