import { readFileSync } from "node:fs";
import { join } from "node:path";

import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import { expect, it } from "vitest";

import { COMMANDS } from "../recording/session.ts";
import type { Step } from "../recording/session.ts";
import { renderSession } from "../recording/terminal.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const RECORDING = readFileSync(join(ROOT, "docs/recording.svg"), "utf8");
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function linesOf(pattern: RegExp, text: string): string[] {
  const unescape = (line: string) => line.replace(/&[#\w]+;/g, (name) => ENTITIES[name] ?? name);
  return [...text.matchAll(pattern)].map(([, line = ""]) => unescape(line));
}

/** The commands of the recording, with their outputs. */
function stepsOf(svg: string): Step[] {
  return svg.split(/<g class="o\d+">/).flatMap((part, index, parts) => {
    const next = parts[index + 1]?.split("</g>")[0];
    if (next === undefined) return [];
    const command = linesOf(/<\/tspan>(.*)<\/text>/g, part).join("\n");
    return [
      { command, output: linesOf(/<text class="output"[^>]*>(.*)<\/text>/g, next).join("\n") },
    ];
  });
}

it("the recording has README's commands, and README shows it", () => {
  expect(README).toContain("(docs/recording.svg)");
  expect(stepsOf(RECORDING).map(({ command }) => command)).toEqual(COMMANDS);
  const blocks = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join("");
  for (const command of COMMANDS) expect(blocks).toContain(`${command}\n`);
});

it("the recording shows every daily amount, and its drawing is up to date", () => {
  const steps = stepsOf(RECORDING);
  const logged = steps.at(-2)!.output;
  expect(logged).toMatch(/^Logged on \d{4}-\d\d-\d\d \(today in /);
  expect(logged).toMatch(/\nDay totals: [\s\S]*\nDaily goals: [\s\S]*\nLeft of the goals: /);
  const totals = JSON.parse(steps.at(-1)!.output) as object;
  expect(Object.keys(totals)).toEqual(DAILY_AMOUNTS.map(({ key }) => key));
  expect(renderSession(steps)).toBe(RECORDING);
});

it("the recording is small, loads nothing, and respects the reader's settings", () => {
  expect(RECORDING.length).toBeLessThan(60_000);
  expect(RECORDING).not.toMatch(/(?:href|src)=|url\(|@import|<script|service_live_[A-Za-z0-9]/);
  expect(RECORDING).toContain("prefers-color-scheme:dark");
  expect(RECORDING).toMatch(/prefers-reduced-motion:no-preference\)\{\s*g\{animation/);
  const [beforeMotion = ""] = RECORDING.split("@media (prefers-reduced-motion");
  expect(beforeMotion).not.toContain("animation");
});
