import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runCommandLine } from "@nutrition/admin/command-line";
import { readConfig } from "@nutrition/admin/config";
import { Services } from "@nutrition/admin/services";
import type { TestAuthority } from "@nutrition/core/testing-certificates";
import { testAuthority, writeTlsFiles } from "@nutrition/core/testing-certificates";
import { findFreePorts } from "@nutrition/local/ports";
import { addressVariables, RPC_SERVICES } from "@nutrition/local/topology";
import { prepareDatabase } from "@nutrition/setup/database/prepare-database";
import { missingEntries } from "@nutrition/setup/secrets/cluster-secret";
import type { RotationStep } from "@nutrition/setup/secrets/rotate-secret";
import { rotate } from "@nutrition/setup/secrets/rotate-secret";
import { variablesOf } from "@nutrition/setup/secrets/secret-files";
import { expect } from "vitest";

import { Instance } from "./instance.ts";
import type { Service } from "./services.ts";
import { METHODS } from "./services.ts";
import type { TlsPostgres } from "./postgres.ts";
import { startTlsPostgres } from "./postgres.ts";

/** Callers look for new instances every 5 s. */
const FOUND = { timeout: 30_000 };
/**
 * Number of ports per service that callers know: for the running instance, its replacement, and
 * spares in case another program takes one. Callers reject servers without our certificate.
 */
const SLOTS = 4;
// Limits are tested elsewhere, so these are high.
const POLICIES = JSON.stringify({
  policies: ["api_key_requests", "connector_requests", "mutations"].map((counts) => ({
    ...{ name: counts.replaceAll("_", "-"), counts, max: 10_000, window_seconds: 10 },
  })),
});

/** Every service as a process, replaceable by a new one with different secrets. */
export class Installation implements AsyncDisposable {
  /** The authority of the first certificates. */
  readonly authority = testAuthority("first");
  #entries = missingEntries({}) as Readonly<Record<string, string>>;
  readonly #postgres: TlsPostgres;
  readonly #ports: Readonly<Record<string, readonly number[]>>;
  readonly #running = new Map<Service, { instance: Instance; slot: number }>();
  readonly #launched: Instance[] = [];
  readonly #folder: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    stack: AsyncDisposableStack,
    where: { postgres: TlsPostgres; folder: string },
    ports: readonly number[],
  ) {
    this.#stack = stack;
    this.#postgres = where.postgres;
    this.#folder = where.folder;
    const names = [...RPC_SERVICES, "gateway"];
    this.#ports = Object.fromEntries(
      names.map((name, index) => [name, ports.slice(index * SLOTS, (index + 1) * SLOTS)]),
    );
  }

  static async start(): Promise<Installation> {
    const stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "nutrition-rotation-"));
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    await chmod(folder, 0o711);
    await writeFile(join(folder, "policies.json"), POLICIES);
    const postgres = stack.use(await startTlsPostgres(folder));
    const ports = await findFreePorts(SLOTS * (RPC_SERVICES.length + 1));
    const installation = new Installation(stack, { postgres, folder }, ports);
    try {
      await installation.certify(installation.authority);
      await installation.prepareDatabase();
      await installation.#launchAll();
      return installation;
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Address of the current gateway. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#ports["gateway"]?.[this.#running.get("gateway")?.slot ?? 0]}`;
  }

  get adminUrl(): string {
    return this.#postgres.adminUrl;
  }

  /** Warnings and errors logged by all instances, including those that have stopped. */
  get warnings(): string {
    return this.#launched.flatMap((instance) => instance.warnings).join("\n");
  }

  /** Applies a step of a rotation to the Secret, as an operator does; instances do not change. */
  rotate(entry: string, step: RotationStep): void {
    this.#entries = rotate(this.#entries, entry, step);
  }

  /** Runs the migration job, which gives the roles the passwords of the Secret. */
  async prepareDatabase(): Promise<void> {
    const names = RPC_SERVICES.map((name) => [name, this.#entries[`database-password-${name}`]]);
    await prepareDatabase(this.adminUrl, Object.fromEntries(names) as Record<string, string>);
  }

  /** Gives all services a certificate from `authority`, in files that they reload. */
  async certify(authority: TestAuthority, trusted = [authority]): Promise<void> {
    await writeTlsFiles(this.#folder, authority, trusted);
  }

  /** Replaces services one after the other with instances that use the current secrets. */
  async roll(...services: readonly Service[]): Promise<void> {
    for (const service of services) {
      const old = this.#running.get(service);
      if (!old) throw new Error(`${service} is not running.`);
      const instance = await this.#launch(service, old.slot + 1);
      // All callers have found the new instance, as at the end of a pod's preStop.
      if (service !== "gateway") {
        const callers = METHODS[service].map((pattern) => expect.stringMatching(pattern) as string);
        const called = () => instance.methodsCalled();
        await expect.poll(called, FOUND).toEqual(expect.arrayContaining(callers));
      }
      expect([service, await old.instance.stop()]).toEqual([service, 0]);
    }
  }

  /** Environment with which the operator's command line finds the services. */
  get operator(): NodeJS.ProcessEnv {
    const { baseUrl: BASE_URL } = this;
    return {
      ...this.#addressesOf("admin"),
      ...this.#secretsOf("admin"),
      ...this.#tls,
      BASE_URL,
    };
  }

  /** The output of `npm run -s admin -- …args --json`. */
  async admin<Value>(...args: string[]): Promise<Value> {
    using services = new Services(() => readConfig(this.operator));
    const run = await runCommandLine([...args, "--json"], services, async () => {});
    if (run.exitCode !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout) as Value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#launched.map((instance) => instance.stop()));
    await this.#stack.disposeAsync();
  }

  async #launchAll(): Promise<void> {
    const all = [...RPC_SERVICES, "gateway" as const];
    const launched = await Promise.allSettled(all.map((name) => this.#launch(name, 0)));
    for (const one of launched) if (one.status === "rejected") throw one.reason;
  }

  /** Starts an instance in the first free slot from `first` on. */
  async #launch(service: Service, first: number): Promise<Instance> {
    for (let tried = 0; ; tried += 1) {
      const slot = (first + tried) % SLOTS;
      try {
        const instance = await this.#launchAt(service, slot);
        this.#launched.push(instance);
        this.#running.set(service, { instance, slot });
        return instance;
      } catch (error) {
        if (tried === SLOTS - 2 || !String(error).includes("EADDRINUSE")) throw error;
      }
    }
  }

  #launchAt(service: Service, slot: number): Promise<Instance> {
    const port = String(this.#ports[service]?.[slot]);
    const gatewaySettings = { HOST: "127.0.0.1", PORT: port };
    const ownSettings = service === "gateway" ? gatewaySettings : { RPC_PORT: port };
    const policies = service === "limits" && {
      LIMITS_POLICY_FILE: join(this.#folder, "policies.json"),
    };
    const env = {
      PATH: process.env["PATH"],
      ...this.#addressesOf(service),
      ...this.#secretsOf(service),
      ...this.#tls,
      ...ownSettings,
      ...policies,
    };
    return Instance.start(service, env, this.#folder);
  }

  get #tls(): Record<string, string> {
    return {
      INTERNAL_TLS: "files",
      INTERNAL_TLS_CERT_FILE: join(this.#folder, "tls.crt"),
      INTERNAL_TLS_KEY_FILE: join(this.#folder, "tls.key"),
      INTERNAL_TLS_CA_FILE: join(this.#folder, "ca.crt"),
    };
  }

  #secretsOf(service: Service | "admin"): Record<string, string> {
    return variablesOf(this.#entries, this.#postgres.url)[service] ?? {};
  }

  #addressesOf(caller: Service | "admin"): Record<string, string> {
    return addressVariables(caller, (callee) =>
      (this.#ports[callee] ?? []).map((port) => `127.0.0.1:${port}`).join(","),
    );
  }
}
