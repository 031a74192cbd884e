import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@nutrition/core/clock";
import { silentLogger as logger } from "@nutrition/core/logger";
import type { TestDatabase } from "@nutrition/postgres/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import type { RunningIdentity } from "@nutrition/test-support/identity-provider";
import { startIdentity } from "@nutrition/test-support/identity-provider";
import type { RpcService } from "@nutrition/test-support/network";
import { Network, RPC_SERVICES } from "@nutrition/test-support/network";

type Environment = { [name: string]: string };

/** All real services, each with a role of minimal privileges. */
export class Installation implements AsyncDisposable {
  readonly provider: RunningIdentity;
  readonly databases: Record<RpcService, TestDatabase>;
  /** Settings with which the command line finds everything. */
  environment: Environment = {};
  /** Texts that no output may show. */
  readonly secrets: string[] = [];
  readonly #network: Network;
  readonly #roleUrls: Record<RpcService, string>;

  private constructor(
    network: Network,
    parts: Pick<Installation, "provider" | "databases">,
    roleUrls: Record<RpcService, string>,
  ) {
    this.provider = parts.provider;
    this.databases = parts.databases;
    this.#network = network;
    this.#roleUrls = roleUrls;
    const { KEY_PEPPERS: peppers } = network.peppers;
    const [sessionKey] = JSON.parse(network.sessionKeys.SESSION_KEYS) as [string];
    this.secrets.push(peppers, ...Object.values(JSON.parse(peppers) as object), sessionKey);
    for (const service of [...RPC_SERVICES, "gateway", "web", "admin"] as const) {
      this.secrets.push(String(network.identity.privateKey(service).d));
    }
    for (const url of Object.values(roleUrls)) this.secrets.push(new URL(url).password);
  }

  static async start(): Promise<Installation> {
    const network = await Network.open();
    const databases = {} as Record<RpcService, TestDatabase>;
    const roleUrls = {} as Record<RpcService, string>;
    for (const service of RPC_SERVICES) {
      const database = await network.database(service);
      const role = await boundedRole(database);
      network.defer(() => run(database, `drop owned by ${role.name}; drop role ${role.name}`));
      databases[service] = database;
      roleUrls[service] = role.url;
    }
    const provider = await startIdentity(
      { host: "127.0.0.1", port: 0, siteUrl: "http://localhost", allowedRedirects: [], users: [] },
      { logger },
    );
    network.defer(async () => provider[Symbol.asyncDispose]());
    const installation = new Installation(network, { provider, databases }, roleUrls);
    await installation.#startAll();
    return installation;
  }

  get identity(): TestIdentity {
    return this.#network.identity;
  }

  async #startAll(): Promise<void> {
    for (const service of ["analysis", "auth", "limits", "journal"] as const) {
      await this.start(service);
    }
    const settings = { AUTH_URL: this.provider.issuer, BASE_URL: "http://localhost" };
    const web = await this.#network.start("web", settings);
    const { AUTH_URL } = settings;
    const WEB_URL = `http://${web.address}`;
    const gateway = await this.#network.start("gateway", { AUTH_URL, WEB_URL });
    this.environment = {
      ...this.#network.operatorEnvironment,
      GATEWAY_ADDRESS: gateway.operatorAddress ?? "",
      WEB_ADDRESS: web.operatorAddress ?? "",
      BASE_URL: gateway.url,
    };
  }

  /** Starts an instance with changed settings. */
  async start(service: RpcService, settings: Environment = {}, clock?: Clock) {
    const bounded = { DATABASE_URL: this.#roleUrls[service], ...settings };
    return this.#network.start(service, bounded, clock ? { clock } : {});
  }

  /** A policy file that differs from the usual one. */
  policyFile(): string {
    const usual = new URL("../../limits/policies.json", import.meta.url);
    const file = join(mkdtempSync(join(tmpdir(), "policies-")), "policies.json");
    writeFileSync(file, `${readFileSync(usual, "utf8")}\n`);
    return file;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#network[Symbol.asyncDispose]();
  }
}

/** Runs statements as the database's owner. */
export async function run({ database }: TestDatabase, text: string): Promise<void> {
  await database.query({ text, values: [] });
}

/** A new role that may use the rows of the schema, as an installation gives each service. */
async function boundedRole(database: TestDatabase): Promise<{ name: string; url: string }> {
  const { schema } = database;
  const [name, password] = [`doctor_${schema}_${randomBytes(4).toString("hex")}`, newPassword()];
  await run(
    database,
    `create role ${name} login password '${password}' connection limit 40;
     grant usage on schema ${schema} to ${name};
     grant select, insert, update, delete on all tables in schema ${schema} to ${name};
     grant usage on all sequences in schema ${schema} to ${name};`,
  );
  const url = Object.assign(new URL(database.url), { username: name, password });
  return { name, url: url.href };
}

function newPassword(): string {
  return randomBytes(16).toString("hex");
}
