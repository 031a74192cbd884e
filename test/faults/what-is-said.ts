// What people and programs are told while the database is in trouble.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runCommandLine } from "@nutrition/admin/command-line";
import { readConfig } from "@nutrition/admin/config";
import { Services } from "@nutrition/admin/services";
import { findFreePortRange } from "@nutrition/local/ports";
import { MEASURED_SERVICES } from "@nutrition/local/telemetry";

import { connectAssistant } from "../e2e/assistants.ts";
import { System } from "../e2e/system.ts";

/** A condition in the details of a service's readiness. */
interface Noticed {
  readonly condition: string;
  readonly message: string;
  readonly advice: string;
}

/** A running installation whose services tell the operator about themselves. */
export interface Watched extends AsyncDisposable {
  readonly system: System;
  /** The status and the text of `/readyz` at a service's operations port. */
  readinessOf: (service: string) => Promise<{ status: number; text: string }>;
}

/** So generous that no test hits a limit. */
const POLICIES = JSON.stringify({
  policies: [
    { name: "key-hour", counts: "api_key_requests", max: 10_000, window_seconds: 3_600 },
    { name: "connector-hour", counts: "connector_requests", max: 10_000, window_seconds: 3_600 },
    { name: "mutations-hour", counts: "mutations", max: 10_000, window_seconds: 3_600 },
  ],
});

export const WITH_DATABASE = ["auth", "limits", "analysis", "journal"] as const;

export async function startWatched(environment: NodeJS.ProcessEnv): Promise<Watched> {
  const firstPort = await findFreePortRange(MEASURED_SERVICES.length);
  const folder = await mkdtemp(join(tmpdir(), "nutrition-watched-"));
  const policyFile = join(folder, "policies.json");
  await writeFile(policyFile, POLICIES);
  const system = await System.start({
    OPERATIONS_PORT: String(firstPort),
    LIMITS_POLICY_FILE: policyFile,
    LOG_FORMAT: "text",
    ...environment,
  });
  return {
    system,
    async readinessOf(service) {
      const port = firstPort + MEASURED_SERVICES.findIndex((name) => name === service);
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { status: response.status, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      await system[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The names of the conditions that each service with a database reports. */
export async function conditionsOf({ readinessOf }: Watched): Promise<string[][]> {
  return Promise.all(
    WITH_DATABASE.map(async (service) => {
      const { status, text } = await readinessOf(service);
      if (status !== 200) return [`status ${status}`];
      const { database } = JSON.parse(text) as { database: Noticed[] };
      return database.map(({ condition }) => condition);
    }),
  );
}

/** What `admin doctor` prints. */
export async function doctor({ system }: Watched): Promise<{ exitCode: number; text: string }> {
  const environment = { DATA_DIR: system.dataFolder };
  using services = new Services(() => readConfig(environment));
  const { exitCode, stdout } = await runCommandLine(["doctor"], services, async () => {});
  return { exitCode, text: stdout };
}

/** The lines of the doctor's report that are not fine, with their advice. */
export function complaintsIn(text: string): string {
  return text
    .split("\n")
    .filter((line) => /^[✗!]| +→|^\d|^Healthy/.test(line))
    .filter((line, at, all) => !line.startsWith(" ") || /^[✗!]/.test(all[at - 1] ?? ""))
    .join("\n");
}

/** The response to a REST read, word for word. */
export async function readOnce({ system }: Watched, key: string) {
  const { status, headers, body } = await system.get("/api/v1/me", key);
  return { status, retryAfter: headers.get("retry-after"), body: JSON.stringify(body) };
}

/** The result of logging food with a tool, word for word. */
export async function logOnce({ system }: Watched, key: string, text: string) {
  try {
    await using assistant = await connectAssistant(system.baseUrl, key);
    const result = await assistant.call("log_food", { food_text: text });
    return { isError: result.isError, text: result.text };
  } catch (error) {
    return { isError: true, text: String(error) };
  }
}

/** Prints a transcript for the person who runs the test. */
export function transcript(title: string, said: Readonly<Record<string, string>>): void {
  const parts = Object.entries(said).map(([who, text]) => `--- ${who}\n${text.trim()}`);
  console.log(`\n===== ${title}\n${parts.join("\n")}\n`);
}
