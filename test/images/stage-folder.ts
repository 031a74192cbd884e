import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join, matchesGlob, posix, relative } from "node:path";
import { promisify } from "node:util";

import type { Step } from "./dockerfile.ts";
import { assignmentOf, CONTEXT, expand, wordsOf } from "./dockerfile.ts";

const isRoot = process.getuid?.() === 0;
const IGNORED = readFileSync(join(CONTEXT, ".dockerignore"), "utf8").trim().split("\n");
/** What a build may know of this machine: nothing of npm's, vitest's or the work tree's. */
const MACHINE =
  /^(PATH|HOME|TMPDIR|LANG|XDG_\w+|npm_config_registry|NODE_EXTRA_CA_CERTS|\w+_proxy)$/i;
const LINES_SHOWN = 20;
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

/** Account of a process; undefined for this process's own, because only root can choose. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** An account of a Dockerfile or compose file, such as `10001:10001`. */
export function accountOf(text: string): Account {
  const [uid = 0, gid = uid] = text.split(":").map(Number);
  return isRoot ? { uid, gid } : undefined;
}

/** A stage of the Dockerfile, laid out in a folder that stands for the root of its file system. */
export class StageFolder {
  root: string;
  workingFolder = "/";
  account: Account = accountOf("0:0");
  entrypoint: readonly string[] = [];
  /** Variables of ENV, with paths of this machine. */
  readonly environment: Record<string, string> = {};
  readonly #arguments: Readonly<Record<string, string>>;
  readonly #values: Record<string, string> = {};
  readonly #earlier: ReadonlyMap<string, StageFolder>;
  /** First parts of the absolute paths that instructions have made, such as `app`. */
  readonly #places = new Set<string>();

  constructor(
    root: string,
    buildArguments: Readonly<Record<string, string>>,
    earlier: ReadonlyMap<string, StageFolder>,
  ) {
    this.root = root;
    this.#arguments = buildArguments;
    this.#earlier = earlier;
  }

  /** Executes an instruction; throws if its command fails. */
  async execute({ keyword, text, flags }: Step): Promise<void> {
    const words = () => wordsOf(expand(text, this.#values));
    if (keyword === "ARG") this.#declare(text);
    else if (keyword === "ENV") this.#set(words());
    else if (keyword === "WORKDIR") this.#enter(text);
    else if (keyword === "COPY") await this.#copy(words(), flags);
    else if (keyword === "RUN") await this.#run(text);
    else if (keyword === "USER") this.account = accountOf(text);
    else if (keyword === "ENTRYPOINT") this.entrypoint = JSON.parse(text) as string[];
    else if (keyword !== "LABEL") throw new Error(`Teach test/images what ${keyword} does.`);
  }

  /** The path on this machine of one in the image. */
  pathOf(path: string): string {
    return join(this.root, posix.resolve(this.workingFolder, path));
  }

  #declare(text: string): void {
    const [name, fallback] = assignmentOf(text);
    const value = this.#arguments[name] ?? fallback;
    if (value !== undefined) this.#values[name] = value;
  }

  #set(pairs: readonly string[]): void {
    for (const [name, value = ""] of pairs.map(assignmentOf)) {
      this.#values[name] = value;
      this.environment[name] = this.#relocated(value);
    }
  }

  #enter(path: string): void {
    this.workingFolder = posix.resolve(this.workingFolder, path);
    this.#make(this.workingFolder);
    mkdirSync(this.pathOf("."), { recursive: true });
  }

  #make(path: string): void {
    this.#places.add(path.split("/")[1] ?? "");
  }

  async #copy(words: readonly string[], flags: Step["flags"]): Promise<void> {
    const target = words.at(-1) ?? "";
    this.#make(posix.resolve(this.workingFolder, target));
    for (const source of words.slice(0, -1)) {
      const place = target.endsWith("/") ? join(target, posix.basename(source)) : target;
      if (flags["from"] === undefined) copyFromContext(source, this.pathOf(place));
      else this.#take(source, flags["from"], this.pathOf(place));
    }
    const { chown } = flags;
    if (chown && isRoot) await promisify(execFile)("chown", ["-R", chown, this.pathOf(target)]);
  }

  /** Moves instead of copying: no stage is used twice. */
  #take(source: string, stage: string, target: string): void {
    const path = this.#earlier.get(stage)?.pathOf(source);
    if (path === undefined) throw new Error(`There is no stage ${stage}.`);
    mkdirSync(join(target, ".."), { recursive: true });
    renameSync(path, target);
  }

  async #run(text: string): Promise<void> {
    // Only root can give files away.
    const command = isRoot ? text : text.replaceAll(/ -[og] \d+(?= )/g, "");
    const env = { ...machineEnvironment(), ...this.#values, ...this.environment };
    const PATH = `${join(this.root, "usr/local/bin")}:${process.env["PATH"]}`;
    try {
      await promisify(execFile)("/bin/sh", ["-c", this.#relocated(command)], {
        ...this.account,
        cwd: this.pathOf("."),
        env: { ...env, PATH },
        maxBuffer: OUTPUT_MAX_BYTES,
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      const lines = `${stdout}${stderr}`.trimEnd().split("\n").slice(-LINES_SHOWN);
      throw new Error(`RUN ${text.slice(0, 80)}… failed:\n${lines.join("\n")}`, { cause: error });
    }
  }

  /** Replaces absolute paths that the instructions have made by those on this machine. */
  #relocated(text: string): string {
    const path = new RegExp(
      `(?<=^|[\\s"'=])/(?:${[...this.#places].join("|")})(?=$|[/\\s"'])`,
      "g",
    );
    return text.replaceAll(path, (place) => join(this.root, place));
  }
}

function copyFromContext(source: string, target: string): void {
  const path = join(CONTEXT, source);
  if (!existsSync(path)) throw new Error(`COPY ${source}: the repository has no such path.`);
  if (statSync(path).isFile()) mkdirSync(join(target, ".."), { recursive: true });
  const isWanted = (file: string) =>
    !IGNORED.some((pattern) => matchesGlob(relative(CONTEXT, file), pattern));
  cpSync(path, target, { recursive: true, filter: isWanted });
}

function machineEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => MACHINE.test(name)));
}
