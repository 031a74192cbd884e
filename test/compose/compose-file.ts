import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
/** Folder to which relative paths in the file refer. */
export const DEPLOY = join(ROOT, "deploy");
const FILE = join(DEPLOY, "compose.yaml");
const SECRETS = "/secrets";

/** A container in the file, with the fields that tests read. */
export interface Container {
  readonly image: string;
  readonly user?: string;
  readonly build?: { readonly args: { readonly SERVICE: string } };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** The file as it is where none of the variables that it takes is set. */
export function readComposeFile(): ComposeFile {
  const text = readFileSync(FILE, "utf8").replaceAll(/\$\{\w+:-([^}]*)\}$/gm, `"$1"`);
  return parse(text, { merge: true }) as ComposeFile;
}

/** Result of Docker Compose's own library; undefined, with a warning, if Go is not installed. */
export function readAsCompose(): { project?: ComposeFile; problem: string } | undefined {
  const folder = join(import.meta.dirname, "reader");
  const { error, status, stdout, stderr } = spawnSync("go", ["run", ".", FILE], {
    cwd: folder,
    encoding: "utf8",
  });
  if (error && process.env["CI"] !== "true") {
    console.warn("\n*** go is not installed: Compose's own reading of the file is SKIPPED. ***\n");
    return undefined;
  }
  if (error || status !== 0) return { problem: error?.message ?? stderr };
  return { project: JSON.parse(stdout) as ComposeFile, problem: "" };
}

/**
 * Runs the command of one of our containers with exactly its environment, and the files of
 * `secrets` in place of the volume. `args` follow the command.
 */
export async function runContainer(
  { build, entrypoint = ["node", "main.ts"], command = [], environment }: Container,
  secrets: string,
  ...args: readonly string[]
): Promise<{ code: unknown; log: string }> {
  const main = join(ROOT, "services", build?.args.SERVICE ?? "", "src/main.ts");
  const words = [...entrypoint.slice(1), ...command, ...args].map((word) =>
    word === "main.ts" ? main : word.replace(SECRETS, secrets),
  );
  const child = spawn(process.execPath, words, { env: { ...environment } });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  }
  const [code] = (await once(child, "close")) as unknown[];
  return { code, log: Buffer.concat(chunks).toString() };
}
