import { spawn } from "node:child_process";

export interface CommandOptions {
  /** Environment variables in addition to this process's own. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Standard input of the command. */
  input?: string;
}

/** Runs a command and returns its output. Throws an error with its error output. */
export async function run(
  command: string,
  args: readonly string[],
  { env, cwd, input }: CommandOptions = {},
): Promise<string> {
  const { code, output, complaint } = await attempt(command, args, { env, cwd, input });
  if (code === 0) return output;
  throw new Error(`${command} ${args.join(" ")} failed:\n${complaint || output}`);
}

export interface Attempt {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
}

/** Like `run`, for a command that may fail. */
export function attempt(
  command: string,
  args: readonly string[],
  { env, cwd, input }: { [Name in keyof CommandOptions]: CommandOptions[Name] | undefined } = {},
): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
    let output = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    child.on("error", (cause) => reject(new Error(`${command} cannot be run.`, { cause })));
    child.on("close", (code) => resolve({ code, output, complaint }));
    // A command that exits early does not read all of its input.
    child.stdin.on("error", () => {}).end(input);
  });
}
