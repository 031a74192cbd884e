import { join } from "node:path";

import { type LocalConfig, ROOT } from "./config.ts";
import { DEMO_PERSON } from "./demo-person.ts";
import type { Secrets } from "./secrets.ts";
import { trustedKeys } from "./secrets.ts";

/** A service as the launcher knows it. */
interface ServiceEntry {
  /** Whether it has a schema and a role in the database. */
  database: boolean;
  /** Services it calls; it gets `<NAME>_ADDRESS` of each. */
  calls: readonly RpcService[];
  /** Settings of the person's that only it gets. */
  takes?: RegExp;
  /** What it gets besides what all get. */
  settings?: (wiring: Wiring) => Record<string, string>;
}

/** Services that other services call over gRPC. */
export const RPC_SERVICES = ["auth", "limits", "analysis", "journal"] as const;
export type RpcService = (typeof RPC_SERVICES)[number];
/** Services that people's browsers reach, the pages through the gateway. */
export type PageService = "identity" | "web";
export type ServiceName = RpcService | "gateway" | PageService;

/** The operator's command line: it has an identity, and no process here. */
export const OPERATOR = "admin";

/** What the settings of the services are made from. */
export interface Wiring {
  config: LocalConfig;
  secrets: Secrets;
  /** Port of each service that runs, on the loopback address but for what the public reaches. */
  ports: Record<RpcService | "gateway", number> & Partial<Record<PageService, number>>;
  baseUrl: string;
  /** Issuer of the identity provider; none without a sign-in. */
  authUrl?: string;
  /** Administrator's address of the database. */
  databaseUrl: string;
  /** Folder of compiled code. */
  cache: string;
}

/** Settings of the person's that every service gets. */
const FOR_ALL =
  /^(PATH|HOME|TMPDIR|TZ|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|LOG_LEVEL|REDIS_URL|OTEL_.*)$/;

/** Every service, and what only it gets. */
export const SERVICES: Readonly<Record<ServiceName, ServiceEntry>> = {
  auth: {
    database: true,
    calls: [],
    settings: ({ secrets }) => ({
      KEY_PEPPERS: JSON.stringify(secrets.keyPeppers),
      KEY_PEPPER_VERSION: secrets.keyPepperVersion,
    }),
  },
  limits: { database: true, calls: ["journal"], takes: /^LIMITS_/ },
  analysis: { database: true, calls: [], takes: /^ANALYSIS_/ },
  journal: {
    database: true,
    calls: ["limits", "analysis"],
    takes: /^DUPLICATE_WINDOW_SECONDS$/,
  },
  gateway: {
    database: false,
    calls: ["auth", "journal", "limits"],
    takes: /^(OAUTH_AUDIENCE|TRUST_PROXY_HOPS|ALLOWED_ORIGINS|ALLOWED_HOSTS)$/,
    settings: ({ config, ports, baseUrl, authUrl }) => ({
      HOST: config.host,
      PORT: String(ports.gateway),
      BASE_URL: baseUrl,
      ...(authUrl === undefined ? {} : { AUTH_URL: authUrl }),
      ...(ports.web === undefined ? {} : { WEB_URL: `http://${addressOf(ports.web)}` }),
    }),
  },
  web: {
    database: false,
    calls: ["auth", "journal", "limits"],
    takes: /^(AUTH_API_KEY|OAUTH_AUDIENCE|SIGN_IN_PROVIDERS)$/,
    settings: ({ ports, baseUrl, authUrl = "", secrets }) => ({
      HOST: "127.0.0.1",
      PORT: String(ports.web),
      BASE_URL: baseUrl,
      AUTH_URL: authUrl,
      SESSION_KEYS: JSON.stringify(secrets.sessionKeys),
    }),
  },
  identity: {
    database: false,
    calls: [],
    takes: /^ACCESS_TOKEN_SECONDS$/,
    settings: ({ config, ports, baseUrl, authUrl = "", secrets }) => ({
      HOST: config.host,
      PORT: String(ports.identity),
      ISSUER: authUrl,
      SITE_URL: baseUrl,
      DATA_FILE: join(config.dataFolder, "identity.json"),
      USERS: JSON.stringify([
        { ...DEMO_PERSON, password: secrets.demoPassword, emailVerified: true },
      ]),
    }),
  },
};

/** The services that every start has. */
export const SERVICE_NAMES = [...RPC_SERVICES, "gateway"] as const;

/** Those that speak to others with an identity of their own. */
export const CALLERS = [...SERVICE_NAMES, "web", OPERATOR];

/** The file that runs a service. */
export function mainOf(name: ServiceName): string {
  return join(ROOT, "services", name, "src/main.ts");
}

/** The folder of a service's migrations. */
export function migrationsOf(name: ServiceName): string {
  return join(ROOT, "services", name, "migrations");
}

/** The whole environment of a service: nothing else of the launcher's own reaches it. */
export function environmentOf(name: ServiceName, wiring: Wiring): Record<string, string> {
  const { config, secrets, ports, cache } = wiring;
  const { calls, database, takes, settings } = SERVICES[name];
  const given = Object.entries(config.environment).filter(
    ([variable]) => FOR_ALL.test(variable) || takes?.test(variable),
  );
  const addresses = calls.map((callee) => [
    `${callee.toUpperCase()}_ADDRESS`,
    addressOf(ports[callee]),
  ]);
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    NODE_COMPILE_CACHE: cache,
    ...(isRpc(name) ? { RPC_HOST: "127.0.0.1", RPC_PORT: String(ports[name]) } : {}),
    ...(CALLERS.includes(name) ? identityOf(name, secrets) : {}),
    ...Object.fromEntries(addresses),
    ...(database ? { DATABASE_URL: databaseUrlOf(name, wiring) } : {}),
    ...settings?.(wiring),
  };
}

function isRpc(name: ServiceName): name is RpcService {
  return (RPC_SERVICES as readonly ServiceName[]).includes(name);
}

function identityOf(name: ServiceName, secrets: Secrets): Record<string, string> {
  return {
    IDENTITY_PRIVATE_KEY: JSON.stringify(secrets.identityKeys[name]),
    IDENTITY_TRUSTED_KEYS: JSON.stringify(trustedKeys(secrets)),
  };
}

/** What the operator's command line needs to reach the services. */
export function adminSettings({ ports, secrets }: Wiring): Record<string, unknown> {
  const addresses = RPC_SERVICES.map((name) => [`${name}_address`, addressOf(ports[name])]);
  return { ...Object.fromEntries(addresses), private_key: secrets.identityKeys[OPERATOR] };
}

/** The address of the database for a service's own role. */
export function databaseUrlOf(
  name: ServiceName,
  { databaseUrl, secrets }: Pick<Wiring, "databaseUrl" | "secrets">,
): string {
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = secrets.rolePasswords[name] ?? "";
  return url.href;
}

/** The gRPC address of a port of this machine. */
export function addressOf(port: number): string {
  return `127.0.0.1:${port}`;
}
