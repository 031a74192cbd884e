import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runCommandLine } from "@nutrition/admin/command-line";
import { readConfig } from "@nutrition/admin/config";
import { Services } from "@nutrition/admin/services";
import type { Units } from "@nutrition/core/units";
import { findFreePorts } from "@nutrition/local/ports";

const ROOT = join(import.meta.dirname, "../..");

/** `.data/demo.json`. */
export interface Demo {
  base_url: string;
  account_id: string;
  email: string;
  password: string;
  api_key: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Everything that `npm start` starts, in a separate data folder. Disposing stops everything. */
export class System implements AsyncDisposable {
  readonly dataFolder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #args: readonly string[];
  #launcher: ChildProcess | undefined;
  /** Its output so far. */
  output = "";

  private constructor(dataFolder: string, environment: NodeJS.ProcessEnv, args: readonly string[]) {
    this.dataFolder = dataFolder;
    this.#environment = environment;
    this.#args = args;
  }

  /** `args` as after `npm start --`. */
  static async start(
    environment: NodeJS.ProcessEnv = {},
    args: readonly string[] = [],
  ): Promise<System> {
    const dataFolder = await mkdtemp(join(tmpdir(), "nutrition-e2e-"));
    const [port] = await findFreePorts(1);
    const { PATH, HOME } = process.env;
    const settings = { DATA_DIR: dataFolder, PORT: String(port), ...environment };
    const system = new System(dataFolder, { PATH, HOME, ...settings }, args);
    await system.start();
    return system;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#environment["PORT"]}`;
  }

  async start(): Promise<void> {
    const launcher = spawn(
      process.execPath,
      [join(ROOT, "deploy/local/start.mjs"), ...this.#args],
      {
        env: this.#environment,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#launcher = launcher;
    const end = () => launcher.kill("SIGINT");
    process.once("exit", end);
    launcher.once("exit", () => process.off("exit", end));
    const ready = Promise.withResolvers<void>();
    const read = (chunk: Buffer) => {
      this.output += chunk.toString();
      if (this.output.includes("is running.")) ready.resolve();
    };
    launcher.stdout.on("data", read);
    launcher.stderr.on("data", read);
    launcher.once("exit", () => ready.reject(new Error(`npm start failed:\n${this.output}`)));
    await ready.promise;
  }

  /** Sends Ctrl-C, and waits until it has exited. */
  async stop(): Promise<void> {
    const launcher = this.#launcher;
    if (!launcher || launcher.exitCode !== null) return;
    const ended = once(launcher, "exit");
    launcher.kill("SIGINT");
    await ended;
    this.output = "";
  }

  async demo(): Promise<Demo> {
    return JSON.parse(await readFile(join(this.dataFolder, "demo.json"), "utf8")) as Demo;
  }

  /** Runs `npm run -s admin -- …args --json`; returns the JSON value that it prints. */
  async admin<Value>(...args: string[]): Promise<Value> {
    using services = new Services(() => readConfig(this.#environment));
    const run = await runCommandLine([...args, "--json"], services, async () => {});
    if (run.exitCode !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout) as Value;
  }

  /** Sets the units in which a person reads figures. */
  async setUnits(accountId: string, { water, ...units }: Omit<Units, "height">): Promise<void> {
    using services = new Services(() => readConfig(this.#environment));
    const settings = { waterUnit: water, units };
    const updateMask = { paths: ["water_unit", "units.energy", "units.weight"] };
    const request = { accountId, settings, updateMask };
    await services.journal.updateSettings(request, { timeoutMs: 10_000 });
  }

  /** A new account with a key of both permissions. */
  async account(email: string, ...flags: string[]): Promise<{ id: string; key: string }> {
    const { id } = await this.admin<{ id: string }>(
      "accounts",
      "create",
      "--email",
      email,
      ...flags,
    );
    const scopes = "service.read,nutrition.write";
    const { key } = await this.admin<{ key: string }>(
      ...["keys", "create", "--account", id, "--scopes", scopes],
    );
    return { id, key };
  }

  async get(path: string, key?: string): Promise<Answer> {
    return this.fetch(path, { headers: key ? { authorization: `Bearer ${key}` } : {} });
  }

  async fetch(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.baseUrl + path, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.dataFolder, { recursive: true, force: true, maxRetries: 3 });
  }
}
