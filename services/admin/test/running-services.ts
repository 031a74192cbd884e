import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { Failure } from "@nutrition/core/failure";
import { silentLogger } from "@nutrition/core/logger";
import type { Database } from "@nutrition/postgres/database";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { UpdateSettingsRequest } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { ServiceBinding } from "@nutrition/rpc/server";
import { testIdentity } from "@nutrition/rpc/testing";
import type { ServiceName } from "@nutrition/rpc/testing";
import { Network } from "@nutrition/test-support/network";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const RUN_TIMEOUT_MS = 12_000;
const OPERATORS = { callers: ["admin"], user: "none" } as const;

/** The real auth service, and fakes of the others, all over real gRPC. */
export interface RunningServices extends AsyncDisposable {
  /** The environment that the command line finds them by. */
  environment: { [name: string]: string };
  /** Requests for settings, in order. */
  settingsUpdates: UpdateSettingsRequest[];
  /** While true, the journal fails. */
  journal: { isAway: boolean };
  /** The subjects with the most usage, set by tests. */
  topSubjects: string[];
  /** Database of auth. */
  authDatabase: Database;
}

export async function startServices(): Promise<RunningServices> {
  const resources = new AsyncDisposableStack();
  const identity = await testIdentity();
  const settingsUpdates: UpdateSettingsRequest[] = [];
  const journal = { isAway: false };
  const topSubjects: string[] = [];
  const serve = async (service: ServiceName, binding: ServiceBinding) => {
    const options = { host: "127.0.0.1", port: 0, logger: silentLogger, services: [binding] };
    const server = await startRpcServer({ ...options, identity: identity.verifier(service) });
    return resources.use(server).address;
  };
  const network = resources.use(await Network.open(identity));
  const environment = {
    AUTH_ADDRESS: (await network.start("auth")).address,
    JOURNAL_ADDRESS: await serve("journal", journalBinding(settingsUpdates, journal)),
    LIMITS_ADDRESS: await serve("limits", limitsBinding(topSubjects)),
    ANALYSIS_ADDRESS: await serve("analysis", analysisBinding()),
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("admin")),
  };
  const dispose = () => resources.disposeAsync();
  const { database: authDatabase } = await network.database("auth");
  const parts = { environment, settingsUpdates, journal, topSubjects, authDatabase };
  return { ...parts, [Symbol.asyncDispose]: dispose };
}

function journalBinding(updates: UpdateSettingsRequest[], state: { isAway: boolean }) {
  const updateSettings = async (request: UpdateSettingsRequest) => {
    if (state.isAway) throw new Failure("unavailable", "DATABASE_UNAVAILABLE", "Try again.");
    updates.push(request);
    return { json: Buffer.from("{}") };
  };
  const getSettings = async () => ({ json: Buffer.from("null") });
  const access = { updateSettings: OPERATORS, getSettings: OPERATORS };
  return bind(JournalService, { updateSettings, getSettings }, access);
}

function limitsBinding(topSubjects: readonly string[]) {
  const handlers = {
    listTopSubjects: async ({ rangeSeconds }: { rangeSeconds: number }) => ({
      subjects: topSubjects.map((subject) => ({ subject, units: BigInt(rangeSeconds) })),
    }),
    listRefusals: async () => ({ policies: [{ policy: "key-hour", refusals: 3n }] }),
  };
  return bind(LimitsService, handlers, { listTopSubjects: OPERATORS, listRefusals: OPERATORS });
}

function analysisBinding() {
  const searchFoods = async ({ query }: { query: string }) => ({
    foods: [
      {
        food: {
          reference: "sr28:01123",
          name: `Egg, whole (${query})`,
          per100g: { calories: 143 },
          portions: [{ name: "large", grams: 50 }],
        },
        score: 1,
      },
    ],
  });
  return bind(AnalysisService, { searchFoods }, { searchFoods: OPERATORS });
}

/** Output and exit code of a run of the command line. */
export interface Run {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs the command line as a person does: a separate process, with only `environment`. */
export function runAdmin(args: string[], environment: { [name: string]: string }): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, timeout: RUN_TIMEOUT_MS };
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode === "number") resolve({ stdout, stderr, exitCode });
      else reject(error ?? new Error("The command line has no exit code."));
    });
  });
}
