import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { ROOT } from "@nutrition/local/config";
import { findFreePorts } from "@nutrition/local/ports";
import { untilReady } from "@nutrition/local/readiness";
import type { Secrets } from "@nutrition/local/secrets";
import { launchService } from "@nutrition/local/service-process";
import type { ServiceName, Wiring } from "@nutrition/local/services";
import { environmentOf, mainOf, SERVICE_NAMES } from "@nutrition/local/services";

import type { MeasuredSystem } from "../measured-system.ts";
import { SERVICES_DATABASE } from "./databases.ts";
import type { Environment } from "./environment.ts";

/** The most that a policy may allow: no key reaches it, and each decision is as much work. */
const KEY_REQUESTS_AN_HOUR = 10_000;
const LOG_LINES_SHOWN = 15;

export interface ServicesOptions {
  environment: Environment;
  secrets: Secrets;
  /** Folder for a CPU profile of each process. */
  profile: string | undefined;
}

/** Starts every service as its own process, with the settings of the local launcher. */
export async function startServices(
  options: ServicesOptions,
  stop: AbortSignal,
): Promise<MeasuredSystem> {
  const wiring = await wire(options);
  await using stack = new AsyncDisposableStack();
  const ended = new AbortController();
  const launched = SERVICE_NAMES.map(async (name) => {
    const { folder } = options.environment;
    const logFile = join(folder, `${name}.log`);
    const service = await launchService({
      main: mainOf(name),
      environment: environmentOf(name, wiring),
      logFile,
      nodeFlags: options.profile
        ? ["--cpu-prof", `--cpu-prof-dir=${join(options.profile, name)}`]
        : [],
    });
    stack.defer(() => service.stop());
    void service.exited.then(async () => ended.abort(await endOf(name, logFile)));
    return [name, service.pid] as const;
  });
  const pids = await Promise.all(launched);
  await untilReady(wiring, AbortSignal.any([stop, ended.signal]));
  const running = stack.move();
  return {
    name: "services",
    baseUrl: wiring.baseUrl,
    processes: { ...Object.fromEntries(pids), postgres: options.environment.postgresPid },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function endOf(name: string, logFile: string): Promise<Error> {
  // Of a service that was stopped in good order, the file may be gone.
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trimEnd().split("\n").slice(-LOG_LINES_SHOWN);
  return new Error(`${name} has ended. Its log ends with:\n${lines.join("\n")}`);
}

async function wire({ environment, secrets }: ServicesOptions): Promise<Wiring> {
  const { folder, databaseUrl } = environment;
  const freePorts = await findFreePorts(SERVICE_NAMES.length);
  const ports = Object.fromEntries(SERVICE_NAMES.map((name, index) => [name, freePorts[index]]));
  const gateway = ports["gateway"] ?? 0;
  const baseUrl = `http://127.0.0.1:${gateway}`;
  return {
    config: {
      dataFolder: folder,
      port: { first: gateway, isFixed: true },
      host: "127.0.0.1",
      baseUrl,
      databaseUrl: databaseUrl(SERVICES_DATABASE),
      // Nothing else: what the person has set for services elsewhere is not to be measured.
      environment: {
        PATH: process.env["PATH"],
        LIMITS_POLICY_FILE: await writePolicies(folder),
      },
    },
    secrets,
    ports: ports as Record<ServiceName, number>,
    baseUrl,
    databaseUrl: databaseUrl(SERVICES_DATABASE),
    cache: join(folder, "cache"),
  };
}

/** Writes the policies of the service with the one of keys raised; returns the file. */
async function writePolicies(folder: string): Promise<string> {
  const text = await readFile(join(ROOT, "services/limits/policies.json"), "utf8");
  const content = JSON.parse(text) as { policies: { counts: string; max: number }[] };
  for (const policy of content.policies) {
    if (policy.counts === "api_key_requests") policy.max = KEY_REQUESTS_AN_HOUR;
  }
  const file = join(folder, "policies.json");
  await writeFile(file, JSON.stringify(content));
  return file;
}
