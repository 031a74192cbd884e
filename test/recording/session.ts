import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import type { System } from "../e2e/system.ts";

/** A command with the output that it printed. */
export interface Step {
  /** As in README; a backslash continues a line. */
  readonly command: string;
  readonly output: string;
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const START = "npm start";
/** Marks the end of the part of the launcher's output that is shown. */
const SHOWN_UNTIL = "Settings";
/** Address in README's commands. */
const DOCUMENTED = "http://127.0.0.1:3000";

/** Calls of the recording. README contains each of them. */
const CALLS: readonly string[] = [
  `npx @modelcontextprotocol/inspector --cli ${DOCUMENTED}/mcp \\
  --header "Authorization: Bearer $KEY" --method tools/call --tool-name log_food \\
  --tool-arg food_text="2 scrambled eggs\\n250 ml orange juice" | jq -r '.content[0].text'`,
  `curl -s -H "Authorization: Bearer $KEY" ${DOCUMENTED}/api/v1/nutrition/summary | jq .totals`,
];
const SET_KEY = "KEY=service_live_…   # npm start prints one";

/** Every command of the recording, in order. */
export const COMMANDS: readonly string[] = [START, SET_KEY, ...CALLS];

/**
 * Makes the calls against a started system. Outputs show the documented address in place of the
 * system's own port.
 */
export async function recordSession(system: System): Promise<Step[]> {
  const { api_key: key } = await system.demo();
  const documented = (text: string) => text.replaceAll(system.baseUrl, DOCUMENTED).trim();
  const [shown = ""] = system.output.split(`  ${SHOWN_UNTIL}`);
  const steps: Step[] = [
    { command: START, output: `${documented(shown)}\n…` },
    { command: SET_KEY, output: "" },
  ];
  for (const command of CALLS) {
    const actual = command.replaceAll(DOCUMENTED, system.baseUrl);
    steps.push({ command, output: documented(await runInShell(actual, key)) });
  }
  return steps;
}

/** Runs in the folder whose packages include the Inspector, so that npx downloads nothing. */
async function runInShell(command: string, key: string): Promise<string> {
  const options = {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, KEY: key },
    timeout: TIMEOUT_MS,
  };
  const { stdout } = await run("bash", ["-o", "pipefail", "-c", command], options);
  return stdout;
}
