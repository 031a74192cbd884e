import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { ROOT } from "@nutrition/local/config";
import { findFreePorts } from "@nutrition/local/ports";
import { untilReady } from "@nutrition/local/readiness";
import type { Secrets } from "@nutrition/local/secrets";
import { launchService } from "@nutrition/local/service-process";
import { issuerOf, programOf, SERVICE_NAMES } from "@nutrition/local/services";
import type { ServiceName } from "@nutrition/local/topology";
import type { Wiring } from "@nutrition/local/wiring";

import type { MeasuredSystem } from "../measured-system.ts";
import { SERVICES_DATABASE } from "./databases.ts";
import type { Environment } from "./environment.ts";

/** The maximum that a policy may allow: nobody reaches it, and each decision costs the same. */
const REQUESTS_AN_HOUR = 10_000;
const LOG_LINES_SHOWN = 15;

export interface ServicesOptions {
  environment: Environment;
  /** Name of the database; the one that the benchmarks share unless given. */
  database?: string;
  secrets: Secrets;
  /** Folder for a CPU profile of each process. */
  profile: string | undefined;
  /** Options of Node.js for each process. */
  nodeFlags?: readonly string[];
  /** Limits of single accounts that differ from the general ones. */
  overrides?: readonly PolicyOverride[];
  /** The person's settings for services. */
  settings?: Readonly<Record<string, string>>;
  /** Starts the pages and the development identity provider, so that access tokens can be checked. */
  hasPages?: boolean;
}

/** An entry of the policy file. */
export interface PolicyOverride {
  subject: string;
  policy: string;
  max: number;
}

export interface MeasuredServices extends MeasuredSystem {
  readonly wiring: Wiring;
  /** Issuer of the identity provider, if it was started. */
  readonly authUrl: string | undefined;
}

/** Starts every service as its own process, with the settings of the local launcher. */
export async function startServices(
  options: ServicesOptions,
  stop: AbortSignal,
): Promise<MeasuredServices> {
  const wiring = await wireServices(options);
  await using stack = new AsyncDisposableStack();
  const ended = new AbortController();
  const launched = namesOf(options).map(async (name) => {
    const { folder } = options.environment;
    const logFile = join(folder, `${name}.log`);
    const service = await launchService({
      ...programOf(name, wiring),
      log: logFile,
      nodeFlags: [
        ...(options.nodeFlags ?? []),
        ...(options.profile ? ["--cpu-prof", `--cpu-prof-dir=${join(options.profile, name)}`] : []),
      ],
    });
    stack.defer(() => service.stop());
    void service.exited.then(async () => ended.abort(await endOf(name, logFile)));
    return [name, service.pid] as const;
  });
  const pids = await Promise.all(launched);
  await untilReady(wiring, namesOf(options), AbortSignal.any([stop, ended.signal]));
  const running = stack.move();
  return {
    name: "services",
    wiring,
    baseUrl: wiring.baseUrl,
    authUrl: wiring.authUrl,
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

function namesOf({ hasPages }: ServicesOptions): readonly ServiceName[] {
  return hasPages ? [...SERVICE_NAMES, "web", "identity"] : SERVICE_NAMES;
}

/** Chooses ports and settings for one instance of each service. */
export async function wireServices(options: ServicesOptions): Promise<Wiring> {
  const { environment, secrets } = options;
  const { folder } = environment;
  const databaseUrl = environment.databaseUrl(options.database ?? SERVICES_DATABASE);
  const names = namesOf(options);
  const [operatorPort = 0, ...freePorts] = await findFreePorts(1 + names.length);
  const ports = Object.fromEntries(names.map((name, index) => [name, freePorts[index]]));
  const { gateway = 0, identity } = ports;
  const baseUrl = `http://127.0.0.1:${gateway}`;
  return {
    config: {
      dataFolder: folder,
      port: { first: gateway, isFixed: true },
      host: "127.0.0.1",
      baseUrl,
      databaseUrl,
      observe: false,
      // Nothing else: the person's settings for services elsewhere must not affect the measurement.
      environment: {
        PATH: process.env["PATH"],
        LIMITS_POLICY_FILE: await writePolicies(options),
        ...options.settings,
      },
    },
    secrets,
    ports: ports as Wiring["ports"],
    // There, the gateway says whether it reaches the others.
    operatorPorts: { gateway: operatorPort },
    baseUrl,
    ...(identity !== undefined && { authUrl: issuerOf(baseUrl) }),
    databaseUrl,
  };
}

/** Writes the policies of the service with those on requests raised; returns the file. */
async function writePolicies({ environment, overrides }: ServicesOptions): Promise<string> {
  const text = await readFile(join(ROOT, "services/limits/policies.json"), "utf8");
  const { policies } = JSON.parse(text) as { policies: { counts: string; max: number }[] };
  for (const policy of policies) {
    if (policy.counts.endsWith("requests")) policy.max = REQUESTS_AN_HOUR;
  }
  const file = join(environment.folder, "policies.json");
  await writeFile(file, JSON.stringify({ policies, overrides: overrides ?? [] }));
  return file;
}
