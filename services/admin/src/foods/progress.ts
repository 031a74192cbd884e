import { Presets, SingleBar } from "cli-progress";

/** A stage of a long operation. */
export interface Stage {
  /** Description, such as "Storing 3 foods". */
  title: string;
  /** Steps, such as bytes or foods. */
  total: number;
}

/** Shows the progress of a long operation. */
export interface Progress {
  /** Begins a stage and ends the previous one. */
  begin(stage: Stage): void;
  /** Reports that `done` steps of the stage are complete. */
  update(done: number): void;
  stop(): void;
}

/** Shows nothing. */
export const NO_PROGRESS: Progress = { begin() {}, update() {}, stop() {} };

/** Number of progress lines per stage without a terminal. */
const PARTS = 10;

/** Shows a bar for each stage on a terminal, and a few lines elsewhere. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? progressBars(output) : progressLines(output);
}

function progressBars(stream: NodeJS.WriteStream): Progress {
  const format = "{bar} {percentage}% | {eta_formatted} left";
  const bar = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic);
  return {
    begin({ title, total }) {
      bar.stop();
      stream.write(`${title}.\n`);
      bar.start(Math.max(1, total), 0);
    },
    update: (done) => bar.update(done),
    stop: () => bar.stop(),
  };
}

function progressLines(output: NodeJS.WriteStream): Progress {
  let [total, shown] = [1, 0];
  return {
    begin(stage) {
      [total, shown] = [Math.max(1, stage.total), 0];
      output.write(`${stage.title}.\n`);
    },
    update(done) {
      const reached = Math.min(PARTS, Math.floor((done / total) * PARTS));
      if (reached <= shown) return;
      shown = reached;
      output.write(`  ${(reached * 100) / PARTS} %\n`);
    },
    stop() {},
  };
}
