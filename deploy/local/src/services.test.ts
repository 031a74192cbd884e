import { generateKeyPairSync } from "node:crypto";

import { expect, test } from "vitest";

import { readConfig } from "./config.ts";
import { environmentOf, SERVICES } from "./services.ts";
import type { Wiring } from "./wiring.ts";
import { type ServiceName } from "./topology.ts";

function wiringWith(environment: NodeJS.ProcessEnv): Wiring {
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const key = jwk as Wiring["secrets"]["identityKeys"][string];
  return {
    config: readConfig(environment),
    secrets: {
      postgresPassword: "superuser's",
      rolePasswords: { auth: "auth's", journal: "journal's", limits: "limits'" },
      identityKeys: { auth: key, journal: { ...key, d: "journal's own" } },
      keyPeppers: { "1": "pepper" },
      keyPepperVersion: "1",
      keySigningSecrets: { "1": "signs keys" },
      sessionKeys: ["sealed with this"],
      demoPassword: "demo's",
      identityAdminKey: "invites people",
    },
    ports: { auth: 1, limits: 2, analysis: 3, journal: 4, gateway: 5, web: 6, identity: 7 },
    baseUrl: "http://127.0.0.1:5",
    authUrl: "http://127.0.0.1:7/auth/v1",
    databaseUrl: "postgres://postgres:superuser%27s@127.0.0.1:9/postgres?sslmode=disable",
  };
}

test("a service with a schema gets its own database role, and others get none", () => {
  const wiring = wiringWith({});
  expect(environmentOf("journal", wiring)["DATABASE_URL"]).toBe(
    "postgres://journal:journal's@127.0.0.1:9/postgres?sslmode=disable",
  );
  expect(environmentOf("gateway", wiring)).not.toHaveProperty("DATABASE_URL");
  expect(environmentOf("web", wiring)).not.toHaveProperty("DATABASE_URL");
});

test("a service gets the addresses of its callees, and no others", () => {
  const environment = environmentOf("journal", wiringWith({}));
  expect(environment).toMatchObject({
    LIMITS_ADDRESS: "127.0.0.1:2",
    ANALYSIS_ADDRESS: "127.0.0.1:3",
  });
  expect(environment).not.toHaveProperty("AUTH_ADDRESS");
});

test("the address at which a person's provider is called reaches those who call it", () => {
  const wiring = wiringWith({
    AUTH_URL: "https://id.example/auth/v1",
    AUTH_INTERNAL_URL: "http://10.0.0.1:9999",
  });
  const { identity: _, ...ports } = wiring.ports;
  for (const name of ["gateway", "web"] as const) {
    const environment = environmentOf(name, { ...wiring, ports });
    expect(environment["AUTH_INTERNAL_URL"]).toBe("http://10.0.0.1:9999");
  }
  expect(environmentOf("journal", wiring)).not.toHaveProperty("AUTH_INTERNAL_URL");
});

test("each service gets its own metrics port when a first one is given", () => {
  const portOf = (name: ServiceName, environment: NodeJS.ProcessEnv) =>
    environmentOf(name, wiringWith(environment))["OPERATIONS_PORT"];
  const names = ["gateway", "web", "auth", "journal", "limits", "analysis", "identity"] as const;
  const ports = names.map((name) => portOf(name, { OPERATIONS_PORT: "9464" }));
  expect(ports).toEqual(["9464", "9465", "9466", "9467", "9468", "9469", undefined]);
  expect(names.map((name) => portOf(name, {}))).toEqual(names.map(() => undefined));
});

test("an observed service reports every request to the viewer, and to no other collector", () => {
  const wiring = wiringWith({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/v1/traces",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=a token for that collector",
    OTEL_TRACES_SAMPLER_ARG: "0.01",
  });
  const settingsOf = (viewerPort?: number) =>
    Object.entries(environmentOf("journal", { ...wiring, viewerPort })).filter(([variable]) =>
      variable.startsWith("OTEL_"),
    );
  expect(settingsOf()).toHaveLength(3);
  expect(Object.fromEntries(settingsOf(4_318))).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_BSP_SCHEDULE_DELAY: "500",
    OTEL_METRIC_EXPORT_INTERVAL: "2000",
  });
});

test("no service gets the secrets of another", () => {
  const wiring = wiringWith({ DATABASE_URL: "postgres://root:administrator@db/x" });
  const told = (name: ServiceName) => JSON.stringify(environmentOf(name, wiring));
  for (const name of Object.keys(SERVICES) as ServiceName[]) {
    expect(told(name)).not.toMatch(/superuser|administrator/);
    if (name !== "auth") expect(told(name)).not.toContain("pepper");
    if (!["auth", "gateway"].includes(name)) expect(told(name)).not.toContain("signs keys");
    if (name !== "journal") expect(told(name)).not.toContain("journal's");
    if (name !== "web") expect(told(name)).not.toContain("sealed with this");
    if (name !== "identity") expect(told(name)).not.toContain("demo's");
    if (!["identity", "web"].includes(name)) expect(told(name)).not.toContain("invites people");
  }
});

test("the gateway, the pages and the identity provider agree on the addresses", () => {
  const wiring = wiringWith({});
  expect(environmentOf("gateway", wiring)).toMatchObject({
    AUTH_URL: "http://127.0.0.1:7/auth/v1",
    WEB_URL: "http://127.0.0.1:6",
    IDENTITY_URL: "http://127.0.0.1:7",
    AUTH_INTERNAL_URL: "http://127.0.0.1:7/auth/v1",
  });
  expect(environmentOf("web", wiring)).toMatchObject({
    BASE_URL: "http://127.0.0.1:5",
    AUTH_INTERNAL_URL: "http://127.0.0.1:7/auth/v1",
    AUTH_URL: "http://127.0.0.1:7/auth/v1",
    HOST: "127.0.0.1",
    PORT: "6",
  });
  expect(environmentOf("identity", wiring)).toMatchObject({
    ISSUER: "http://127.0.0.1:7/auth/v1",
    SITE_URL: "http://127.0.0.1:5",
    PORT: "7",
  });
  expect(environmentOf("identity", wiring)).not.toHaveProperty("IDENTITY_PRIVATE_KEY");
});

test("the person's settings reach only the services that need them", () => {
  const wiring = wiringWith({ ANALYSIS_API_KEY: "k", LOG_LEVEL: "debug", NPM_TOKEN: "t" });
  expect(environmentOf("analysis", wiring)).toMatchObject({
    ANALYSIS_API_KEY: "k",
    LOG_LEVEL: "debug",
  });
  expect(environmentOf("auth", wiring)).not.toHaveProperty("ANALYSIS_API_KEY");
  expect(environmentOf("auth", wiring)).not.toHaveProperty("NPM_TOKEN");
});
