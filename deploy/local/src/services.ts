import { join } from "node:path";

import { DatabaseAddress } from "@nutrition/core/database-address";
import { publicKeysOf } from "@nutrition/setup/secrets/new-secrets";

import { ROOT } from "./config.ts";
import { DEMO_PERSON } from "./demo-person.ts";
import type { Secrets } from "./secrets.ts";
import type { Program } from "./service-process.ts";
import { telemetryOf } from "./telemetry.ts";
import { addressVariables, OPERATOR, RPC_SERVICES, TOPOLOGY } from "./topology.ts";
import type { RpcService, ServiceName } from "./topology.ts";
import type { Wiring } from "./wiring.ts";

/** A service as defined for the launcher. */
interface ServiceEntry {
  /** The person's settings that only this service gets. */
  takes?: RegExp;
  /** Further environment variables of this service. */
  settings?: (wiring: Wiring) => Record<string, string>;
  /** As in `Program`. */
  semiSpaceMiB?: number;
}

/** V8's default, and so the chart's: the gateway handles every request, and leaves the most garbage. */
export const GATEWAY_SEMI_SPACE_MIB = 16;

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1"];
const ISSUER_PATH = "/auth/v1";
/** The development provider's file in the data folder. */
export const PROVIDER_FILE = "identity.json";

/** The person's settings that every service gets. */
const FOR_ALL =
  /^(PATH|HOME|TMPDIR|TZ|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|LOG_LEVEL|REDIS_URL|OTEL_.*|TRACE_SLOW_MS)$/;

/** Every service, with its own settings. */
export const SERVICES: Readonly<Record<ServiceName, ServiceEntry>> = {
  auth: {
    settings: ({ secrets }) => ({
      KEY_PEPPERS: JSON.stringify(secrets.keyPeppers),
      KEY_PEPPER_VERSION: secrets.keyPepperVersion,
      KEY_SIGNING_SECRETS: JSON.stringify(secrets.keySigningSecrets),
    }),
  },
  limits: { takes: /^LIMITS_/ },
  analysis: { takes: /^ANALYSIS_/ },
  journal: {
    takes: /^DUPLICATE_WINDOW_SECONDS$/,
  },
  gateway: {
    takes:
      /^(AUTH_INTERNAL_URL|OAUTH_AUDIENCE|TRUST_PROXY_HOPS|ALLOWED_ORIGINS|SUPPORT_ADDRESS|PRIVACY_URL|OPENAI_APPS_CHALLENGE)$/,
    semiSpaceMiB: GATEWAY_SEMI_SPACE_MIB,
    settings: ({ config, ports, baseUrl, authUrl, identityRealm, secrets }) => ({
      HOST: config.host,
      PORT: String(ports.gateway),
      KEY_SIGNING_SECRETS: JSON.stringify(secrets.keySigningSecrets),
      BASE_URL: baseUrl,
      // A proxy or tunnel in front may send the address that it calls as Host.
      ALLOWED_HOSTS: [config.environment["ALLOWED_HOSTS"] ?? "", ...LOOPBACK_HOSTS].join(","),
      ...(authUrl === undefined ? {} : { AUTH_URL: authUrl }),
      ...(identityRealm === undefined ? {} : { IDENTITY_REALM: identityRealm }),
      ...(ports.web === undefined ? {} : { WEB_URL: `http://${addressOf(ports.web)}` }),
      ...(ports.identity === undefined
        ? {}
        : { IDENTITY_URL: `http://${addressOf(ports.identity)}`, ...internalAuth(ports.identity) }),
    }),
  },
  web: {
    takes: /^(AUTH_INTERNAL_URL|AUTH_API_KEY|OAUTH_AUDIENCE|SIGN_IN_PROVIDERS|SMTP_URL|MAIL_FROM)$/,
    settings: ({ ports, baseUrl, authUrl = "", identityRealm, secrets }) => ({
      HOST: "127.0.0.1",
      PORT: String(ports.web),
      BASE_URL: baseUrl,
      AUTH_URL: authUrl,
      ...(identityRealm === undefined ? {} : { IDENTITY_REALM: identityRealm }),
      ...(ports.identity === undefined
        ? {}
        : { ...internalAuth(ports.identity), AUTH_API_KEY: secrets.identityAdminKey }),
      SESSION_KEYS: JSON.stringify(secrets.sessionKeys),
    }),
  },
  identity: {
    takes: /^ACCESS_TOKEN_SECONDS$/,
    settings: ({ config, ports, baseUrl, authUrl = "", secrets }) => ({
      HOST: "127.0.0.1",
      PORT: String(ports.identity),
      ISSUER: authUrl,
      SITE_URL: baseUrl,
      DATA_FILE: join(config.dataFolder, PROVIDER_FILE),
      ADMIN_KEY: secrets.identityAdminKey,
      MAIL_LINKS_TO: "site",
      USERS: JSON.stringify([
        { ...DEMO_PERSON, password: secrets.demoPassword, emailVerified: true },
      ]),
    }),
  },
};

/** The services that always run. */
export const SERVICE_NAMES = [...RPC_SERVICES, "gateway"] as const;

/** The services that authenticate to others. */
export const CALLERS = [...SERVICE_NAMES, "web", OPERATOR];

/** What runs a service. */
export function programOf(name: ServiceName, wiring: Wiring): Program {
  const { semiSpaceMiB } = SERVICES[name];
  return {
    main: join(ROOT, "services", name, "src/main.ts"),
    environment: environmentOf(name, wiring),
    ...(semiSpaceMiB !== undefined && { semiSpaceMiB }),
  };
}

/** The whole environment of a service; it inherits nothing else from the launcher. */
export function environmentOf(name: ServiceName, wiring: Wiring): Record<string, string> {
  const { config, secrets, ports, operatorPorts = {}, viewerPort } = wiring;
  const { takes, settings } = SERVICES[name];
  const inherited = Object.entries(config.environment).filter(
    ([variable]) =>
      (FOR_ALL.test(variable) || takes?.test(variable)) &&
      // The settings of another collector must not apply to the viewer.
      (viewerPort === undefined || !variable.startsWith("OTEL_")),
  );
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ...rpcAddressOf(isRpc(name) ? ports[name] : operatorPorts[name as keyof typeof operatorPorts]),
    ...(CALLERS.includes(name) ? identityOf(name, secrets) : {}),
    ...addressVariables(name, (callee) => addressOf(ports[callee])),
    ...telemetryOf(name, wiring),
    ...(TOPOLOGY[name].hasDatabase ? databaseOf(name, wiring) : {}),
    ...settings?.(wiring),
  };
}

function rpcAddressOf(port: number | undefined): Record<string, string> {
  return port === undefined ? {} : { RPC_HOST: "127.0.0.1", RPC_PORT: String(port) };
}

function isRpc(name: ServiceName): name is RpcService {
  return (RPC_SERVICES as readonly ServiceName[]).includes(name);
}

function identityOf(name: ServiceName, secrets: Secrets): Record<string, string> {
  return {
    IDENTITY_PRIVATE_KEY: JSON.stringify(secrets.identityKeys[name]),
    IDENTITY_TRUSTED_KEYS: JSON.stringify({ keys: publicKeysOf(secrets.identityKeys) }),
  };
}

/** What the operator's command line needs to reach the services. */
export function adminSettings(wiring: Wiring): Record<string, unknown> {
  const { ports, operatorPorts = {}, secrets, baseUrl } = wiring;
  const addresses = [
    ...RPC_SERVICES.map((name) => [name, ports[name]] as const),
    ...Object.entries(operatorPorts),
  ].map(([name, port]) => [`${name}_address`, addressOf(port)]);
  return {
    ...Object.fromEntries(addresses),
    private_key: secrets.identityKeys[OPERATOR],
    base_url: baseUrl,
  };
}

function databaseOf(name: ServiceName, wiring: Wiring): Record<string, string> {
  const { databaseFolder: folder } = wiring;
  return {
    DATABASE_URL: databaseUrlOf(name, wiring),
    ...(folder === undefined ? {} : { DATABASE_FOLDER: folder }),
  };
}

/** The database address for a service's own role. */
export function databaseUrlOf(
  name: ServiceName,
  { databaseUrl, secrets }: Pick<Wiring, "databaseUrl" | "secrets">,
): string {
  const password = secrets.rolePasswords[name] ?? "";
  return new DatabaseAddress(databaseUrl).as({ user: name, password });
}

/** Services do not use the provider's public address, which may lead through a tunnel. */
function internalAuth(port: number): { AUTH_INTERNAL_URL: string } {
  return { AUTH_INTERNAL_URL: `http://${addressOf(port)}${ISSUER_PATH}` };
}

/** The issuer of the development identity provider, which the gateway serves. */
export function issuerOf(baseUrl: string): string {
  return `${baseUrl}${ISSUER_PATH}`;
}

/** The gRPC address of a port on this machine. */
export function addressOf(port: number): string {
  return `127.0.0.1:${port}`;
}
