import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Step } from "./session.ts";
import { timelineOf } from "./timeline.ts";

const COLUMNS = 104;
const COLUMN_PX = 7.83;
const LINE_PX = 18;
const BASELINE_PX = 13;
const PADDING_PX = 20;
const WIDTH_PX = 2 * PADDING_PX + Math.ceil(COLUMNS * COLUMN_PX);

const COLORS = `
.frame,.cover{fill:#f6f8f6}.frame{stroke:#c9d4ca}
.command{fill:#14351a;font-weight:600}.output{fill:#3b463e}.prompt{fill:#5c7a62}
@media (prefers-color-scheme:dark){
.frame,.cover{fill:#121a13}.frame{stroke:#34423a}
.command{fill:#c8ecce}.output{fill:#c3cec6}.prompt{fill:#7fae82}}`;

interface Drawing {
  readonly parts: Markup[];
  readonly keyframes: string[];
  /** Number of lines so far. */
  rows: number;
}

/**
 * Draws a terminal session as an animated SVG. Without animations, and for readers who prefer
 * reduced motion, it shows the last frame.
 */
export function renderSession(steps: readonly Step[]): string {
  const timeline = timelineOf(steps);
  const percent = (ms: number) => `${((100 * ms) / timeline.length).toFixed(2)}%`;
  const drawing: Drawing = { parts: [], keyframes: [], rows: 0 };
  const typings = timeline.lines.values();
  for (const [index, { command, output }] of steps.entries()) {
    for (const [position, line] of command.split("\n").entries()) {
      const { id, from, to } = typings.next().value!;
      const prompt = position === 0 ? "$ " : "> ";
      drawCommand(drawing, { id, prompt, line, from: percent(from), to: percent(to) });
    }
    drawOutput(drawing, { id: `o${index}`, output, from: percent(timeline.outputs[index]!) });
  }
  return frame(drawing, timeline.length / 1_000);
}

interface CommandLine {
  id: string;
  prompt: string;
  line: string;
  from: string;
  to: string;
}

/** A line of a command, under a cover that recedes as if the line were typed. */
function drawCommand(drawing: Drawing, { id, prompt, line, from, to }: CommandLine): void {
  const y = PADDING_PX + drawing.rows * LINE_PX;
  const x = PADDING_PX + Math.floor(prompt.length * COLUMN_PX);
  const width = Math.ceil(line.length * COLUMN_PX) + 4;
  drawing.parts.push(markup`<g class="${id}">
<text class="command" x="${PADDING_PX}" y="${y + BASELINE_PX}"><tspan class="prompt">${prompt}</tspan>${line}</text>
<rect class="cover" x="${x}" y="${y}" width="${width}" height="${LINE_PX}"/>
</g>
`);
  drawing.keyframes.push(
    appearing(id, from),
    `.${id} .cover{animation-name:${id}t}`,
    `@keyframes ${id}t{0%,${from}{transform:scaleX(1);animation-timing-function:steps(${line.length})}${to},100%{transform:scaleX(0)}}`,
  );
  drawing.rows += 1;
}

function drawOutput(
  drawing: Drawing,
  { id, output, from }: { id: string; output: string; from: string },
): void {
  const lines = output === "" ? [] : output.split("\n").flatMap(wrap);
  const texts = lines.map((line, index) => {
    const y = PADDING_PX + (drawing.rows + index) * LINE_PX + BASELINE_PX;
    return markup`<text class="output" x="${PADDING_PX}" y="${y}">${line}</text>
`;
  });
  drawing.parts.push(markup`<g class="${id}">
${texts}</g>
`);
  drawing.keyframes.push(appearing(id, from));
  drawing.rows += lines.length + 1;
}

function appearing(id: string, from: string): string {
  return `.${id}{animation-name:${id}}@keyframes ${id}{0%{opacity:0}${from},100%{opacity:1}}`;
}

/** Breaks a line at spaces into lines that fit into the frame. */
function wrap(line: string): string[] {
  if (line.length <= COLUMNS) return [line];
  const space = line.lastIndexOf(" ", COLUMNS);
  const end = space > 0 ? space : COLUMNS;
  return [line.slice(0, end), ...wrap(line.slice(end).trimStart())];
}

function frame({ parts, keyframes, rows }: Drawing, seconds: number): string {
  const height = 2 * PADDING_PX + (rows - 1) * LINE_PX;
  const style = `
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}
.cover{transform:scaleX(0);transform-box:fill-box;transform-origin:100% 50%}${COLORS}
@media (prefers-reduced-motion:no-preference){
g{animation:${seconds}s step-end infinite}.cover{animation:${seconds}s linear infinite}
${keyframes.join("\n")}}
`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH_PX} ${height}" role="img" aria-labelledby="t">
<title id="t">A terminal: npm start, a log_food call with the MCP Inspector, and the day's totals over REST</title>
<style>${{ html: style }}</style>
<rect class="frame" x=".5" y=".5" width="${WIDTH_PX - 1}" height="${height - 1}" rx="10"/>
${parts}</svg>
`.html;
}
