import { Presets, SingleBar } from "cli-progress";

/** Shows how far something that takes a while has come. */
export interface Progress {
  start(totalBytes: number): void;
  /** `bytes` read of the file, `foods` sent. */
  update(bytes: number, foods: number): void;
  stop(): void;
}

/** Shows nothing. */
export const NO_PROGRESS: Progress = { start() {}, update() {}, stop() {} };

const MEGABYTE = 1_000_000;
/** Where there is no terminal, a line for each of so many steps. */
const STEPS = 10;

/** A bar on a terminal, else a few lines. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? progressBar(output) : progressLines(output);
}

function progressBar(stream: NodeJS.WriteStream): Progress {
  const format = "{bar} {percentage}% | {read}/{size} MB | {foods} foods | {eta_formatted} left";
  const bar = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic);
  let size = "0";
  return {
    start(totalBytes) {
      size = megabytes(totalBytes);
      bar.start(totalBytes, 0, { read: "0", size, foods: "0" });
    },
    update: (bytes, foods) => bar.update(bytes, { read: megabytes(bytes), size, foods }),
    stop: () => bar.stop(),
  };
}

function progressLines(output: NodeJS.WriteStream): Progress {
  let [total, step] = [1, 0];
  return {
    start(totalBytes) {
      total = Math.max(1, totalBytes);
      output.write(`Reading ${megabytes(total)} MB.\n`);
    },
    update(bytes, foods) {
      const reached = Math.floor((bytes / total) * STEPS);
      if (reached <= step) return;
      step = reached;
      output.write(`${(reached * 100) / STEPS} % read, ${foods} foods sent.\n`);
    },
    stop() {},
  };
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0);
}
