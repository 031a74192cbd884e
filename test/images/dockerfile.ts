import { readFileSync } from "node:fs";
import { join } from "node:path";

import { DockerfileParser } from "dockerfile-ast";
import type { Copy, Instruction } from "dockerfile-ast";

/** Root of the repository, which is the context of the builds. */
export const CONTEXT = join(import.meta.dirname, "../..");
const DOCKERFILE = join(CONTEXT, "deploy/Dockerfile");

/** An instruction, with its variables still in place. */
export interface Step {
  readonly keyword: string;
  /** Everything after the keyword and its flags, on one line. */
  readonly text: string;
  /** Such as `from` of a COPY. */
  readonly flags: Readonly<Record<string, string>>;
}

/** The instructions from a FROM up to the next. */
export interface Stage {
  /** Base image. */
  readonly base: string;
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

export interface Dockerfile {
  /** Defaults of the arguments before the first FROM. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly stages: readonly Stage[];
}

/** Reads deploy/Dockerfile, or the text of another. */
export function readDockerfile(text = readFileSync(DOCKERFILE, "utf8")): Dockerfile {
  const steps = DockerfileParser.parse(text).getInstructions().map(stepOf);
  const starts = steps.flatMap(({ keyword }, index) => (keyword === "FROM" ? [index] : []));
  const stages = starts.map((start, at) => {
    const [base = "", , name] = wordsOf(steps[start]?.text ?? "");
    return { base, name, steps: steps.slice(start + 1, starts[at + 1]) };
  });
  const defaults = steps.slice(0, starts[0]).map(({ text: pair }) => assignmentOf(pair));
  return { defaults: Object.fromEntries(defaults) as Record<string, string>, stages };
}

/** The paths of the repository that the image of a service is given. */
export function copiedPaths(service: string, { stages } = readDockerfile()): string[] {
  const copies = stages
    .flatMap(({ steps }) => steps)
    .filter(({ keyword, flags }) => keyword === "COPY" && flags["from"] === undefined);
  return copies.flatMap(({ text }) => wordsOf(expand(text, { SERVICE: service })).slice(0, -1));
}

/** Whether a path is one of these paths, or in one of these folders. */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

/** Replaces variables as in COPY, ENV and FROM; throws if one is unknown. */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The Dockerfile has no value for ${name}.`);
    return value;
  });
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** `NAME=value`, with a value that has no quotes. */
export function assignmentOf(pair: string): [name: string, value: string | undefined] {
  const [name = "", ...rest] = pair.split("=");
  return [name, rest.length === 0 ? undefined : rest.join("=")];
}

function stepOf(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  const flags = "getFlags" in instruction ? (instruction as Copy).getFlags() : [];
  return {
    keyword,
    text: instruction.getArgumentsContent() ?? "",
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ""])),
  };
}
