import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readConfig as readAnalysisConfig } from "@nutrition/analysis/config";
import { startAnalysis } from "@nutrition/analysis/service";
import { readConfig as readAuthConfig } from "@nutrition/auth/config";
import { startAuth } from "@nutrition/auth/service";
import type { Clock } from "@nutrition/core/clock";
import { silentLogger as logger } from "@nutrition/core/logger";
import { readConfig as readGatewayConfig } from "@nutrition/gateway/config";
import { startGateway } from "@nutrition/gateway/service";
import type { RunningIdentity } from "@nutrition/identity/service";
import { startIdentity } from "@nutrition/identity/service";
import { readConfig as readJournalConfig } from "@nutrition/journal/config";
import { startJournal } from "@nutrition/journal/service";
import { readConfig as readLimitsConfig } from "@nutrition/limits/config";
import { startLimits } from "@nutrition/limits/service";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { readConfig as readWebConfig } from "@nutrition/web/config";
import { startWeb } from "@nutrition/web/service";

const SERVICES = ["auth", "journal", "limits", "analysis"] as const;
export type Service = (typeof SERVICES)[number];

type Environment = { [name: string]: string };
type Running = AsyncDisposable & { readonly address: string };

/** All services as they are, each with a role that may do no more than it must. */
export class Installation implements AsyncDisposable {
  readonly identity: TestIdentity;
  readonly provider: RunningIdentity;
  readonly databases: Record<Service, TestDatabase>;
  /** What the command line finds everything by. */
  environment: Environment = {};
  /** Texts that no output may show. */
  readonly secrets: string[] = [];
  readonly #resources: AsyncDisposableStack;
  readonly #roleUrls: Record<Service, string>;
  readonly #peppers = JSON.stringify({ 1: randomBytes(32).toString("base64") });

  private constructor(
    parts: Pick<Installation, "identity" | "provider" | "databases">,
    roleUrls: Record<Service, string>,
    resources: AsyncDisposableStack,
  ) {
    this.identity = parts.identity;
    this.provider = parts.provider;
    this.databases = parts.databases;
    this.#roleUrls = roleUrls;
    this.#resources = resources;
    this.secrets.push(this.#peppers, ...Object.values(JSON.parse(this.#peppers) as object));
    for (const service of [...SERVICES, "gateway", "web", "admin"] as const) {
      this.secrets.push(String(parts.identity.privateKey(service).d));
    }
    for (const url of Object.values(roleUrls)) this.secrets.push(new URL(url).password);
  }

  static async start(): Promise<Installation> {
    const resources = new AsyncDisposableStack();
    const databases = {} as Record<Service, TestDatabase>;
    const roleUrls = {} as Record<Service, string>;
    for (const service of SERVICES) {
      const folder = fileURLToPath(new URL(`../../${service}/migrations`, import.meta.url));
      const database = await createTestDatabase(service, folder);
      const role = await boundedRole(database);
      resources.defer(async () => {
        await run(database, `drop owned by ${role.name}; drop role ${role.name}`);
        await database[Symbol.asyncDispose]();
      });
      databases[service] = database;
      roleUrls[service] = role.url;
    }
    const provider = await startIdentity(
      { host: "127.0.0.1", port: 0, siteUrl: "http://localhost", allowedRedirects: [], users: [] },
      { logger },
    );
    resources.use(provider);
    const parts = { identity: await testIdentity(), provider, databases };
    const installation = new Installation(parts, roleUrls, resources);
    await installation.#startAll();
    return installation;
  }

  async #startAll(): Promise<void> {
    const analysis = await this.start("analysis");
    const auth = await this.start("auth");
    const limits = await this.start("limits");
    const journal = await this.start("journal", {
      LIMITS_ADDRESS: limits.address,
      ANALYSIS_ADDRESS: analysis.address,
    });
    const addresses = {
      AUTH_ADDRESS: auth.address,
      JOURNAL_ADDRESS: journal.address,
      LIMITS_ADDRESS: limits.address,
    };
    const edge = (service: "gateway" | "web") => ({
      ...{ PORT: "0", RPC_PORT: "0", AUTH_URL: this.provider.issuer, ...addresses },
      IDENTITY_PRIVATE_KEY: JSON.stringify(this.identity.privateKey(service)),
      IDENTITY_TRUSTED_KEYS: JSON.stringify(this.identity.trustedKeys),
    });
    const sessionKey = randomBytes(32).toString("base64url");
    this.secrets.push(sessionKey);
    const ofPages = { BASE_URL: "http://localhost", SESSION_KEYS: JSON.stringify([sessionKey]) };
    const web = await startWeb(readWebConfig({ ...edge("web"), ...ofPages }), { logger });
    this.#resources.use(web);
    const ofGateway = { WEB_URL: `http://${web.address}` };
    const gatewayConfig = readGatewayConfig({ ...edge("gateway"), ...ofGateway });
    const gateway = await startGateway(gatewayConfig, { logger });
    this.#resources.use(gateway);
    this.environment = {
      ...addresses,
      ANALYSIS_ADDRESS: analysis.address,
      GATEWAY_ADDRESS: gateway.operatorAddress ?? "",
      WEB_ADDRESS: web.operatorAddress ?? "",
      BASE_URL: gateway.url,
      IDENTITY_PRIVATE_KEY: JSON.stringify(this.identity.privateKey("admin")),
      DATA_DIR: "/nowhere",
    };
  }

  /** Starts an instance with some settings of its own. */
  async start(service: Service, settings: Environment = {}, clock?: Clock): Promise<Running> {
    const environment = {
      DATABASE_URL: this.#roleUrls[service],
      IDENTITY_PRIVATE_KEY: JSON.stringify(this.identity.privateKey(service)),
      IDENTITY_TRUSTED_KEYS: JSON.stringify(this.identity.trustedKeys),
      ...OWN[service],
      ...(service === "auth" ? { KEY_PEPPERS: this.#peppers } : {}),
      ...settings,
    };
    const overrides = clock ? { logger, clock } : { logger };
    return this.#resources.use(await STARTS[service](environment, overrides));
  }

  /** A file of policies that differ from the usual ones. */
  policyFile(): string {
    const usual = new URL("../../limits/policies.json", import.meta.url);
    const file = join(mkdtempSync(join(tmpdir(), "policies-")), "policies.json");
    writeFileSync(file, `${readFileSync(usual, "utf8")}\n`);
    return file;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

const NOWHERE = "127.0.0.1:1";
const OWN: Record<Service, Environment> = {
  auth: { KEY_PEPPER_VERSION: "1" },
  journal: { LIMITS_ADDRESS: NOWHERE, ANALYSIS_ADDRESS: NOWHERE },
  limits: { JOURNAL_ADDRESS: NOWHERE },
  analysis: {},
};

type Overrides = { logger: typeof logger; clock?: Clock };
const STARTS: Record<Service, (given: Environment, overrides: Overrides) => Promise<Running>> = {
  auth: (given, overrides) => startAuth(readAuthConfig(given), overrides),
  journal: (given, overrides) => startJournal(readJournalConfig(given), overrides),
  limits: (given, overrides) => startLimits(readLimitsConfig(given), overrides),
  analysis: (given, overrides) => startAnalysis(readAnalysisConfig(given), overrides),
};

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
