import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { readConfig as readAdminConfig } from "@nutrition/admin/config";
import { isWithoutPrometheus } from "@nutrition/observability/test/prometheus";
import { readDatabaseConfig } from "@nutrition/setup/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { unreadVariables } from "../unread-variables.ts";
import type { Container } from "./compose-file.ts";
import { DEPLOY, readAsCompose, readComposeFile, runContainer } from "./compose-file.ts";

/** Our long-running containers. */
const SERVICES = ["analysis", "auth", "gateway", "identity", "journal", "limits", "web"];
/** Ports of third-party programs. */
const PORTS: Readonly<Record<string, string>> = {
  postgres: "5432",
  redis: "6379",
  collector: "4318",
  traces: "4318",
};
const ADDRESS = /^(?:\w+:\/\/)?(?:[^@/]*@)?([\w.-]+):(\d+)/;

const { services, volumes } = readComposeFile();
const containerOf = (name: string) => services[name] as Container;
const ours = Object.entries(services).filter(([, { build }]) => build);

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), "nutrition-compose-"));
  const completed = await runContainer(containerOf("secrets"), secrets);
  expect(completed).toMatchObject({ code: 0 });
});
afterAll(() => rm(secrets, { recursive: true }));

describe("deploy/compose.yaml", () => {
  it("is valid for Docker Compose's own library", { timeout: 300_000 }, () => {
    const read = readAsCompose();
    expect(read?.problem ?? "").toBe("");
    if (read?.project) {
      expect(Object.keys(read.project.services).sort()).toEqual(Object.keys(services).sort());
    }
  });

  it.each(SERVICES)("gives %s a valid environment", async (name) => {
    const { code, log } = await runContainer(containerOf(name), secrets, "--check-config");
    expect(code, log).toBe(0);
  });

  it("gives no service a variable that it does not read", () => {
    for (const name of SERVICES) {
      expect([name, unreadVariables(name, variablesOf(name))]).toEqual([name, []]);
    }
  });

  it("gives the operator's command line what it needs to call the services", () => {
    const { addresses, privateKey } = readAdminConfig(variablesOf("admin"));
    const { IDENTITY_TRUSTED_KEYS: trusted } = variablesOf("journal");
    expect(Object.values(addresses).every((address) => address !== undefined)).toBe(true);
    expect(trusted).toContain(privateKey.kid);
  });

  it("gives the services the passwords of their roles", () => {
    const setup = parseEnv(readFileSync(join(secrets, "setup.env"), "utf8"));
    const { adminUrl, passwords } = readDatabaseConfig(setup);
    const database = containerOf("postgres").environment?.["POSTGRES_DB"];
    expect(new URL(adminUrl.reveal())).toMatchObject({
      host: "postgres:5432",
      pathname: `/${database}`,
      password: readFileSync(join(secrets, "postgres-password"), "utf8"),
    });
    expect(Object.keys(passwords).sort()).toEqual(["analysis", "auth", "journal", "limits"]);
  });

  it("every address leads to a container that listens there", () => {
    for (const [name] of ours) {
      for (const [variable, value] of Object.entries(variablesOf(name))) {
        const [, host = "", port = ""] = ADDRESS.exec(value) ?? [];
        if (host === "") continue;
        expect(listenersAt(name, host), `${name}: ${variable}=${value}`).toContain(port);
      }
    }
  });

  it("opens every port to this machine only", () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it("mounts only what exists", () => {
    for (const { volumes: mounts = [] } of Object.values(services)) {
      for (const [source = ""] of mounts.map((mount) => mount.split(":"))) {
        const isThere = source.startsWith(".")
          ? existsSync(join(DEPLOY, source))
          : source in volumes;
        expect([source, isThere]).toEqual([source, true]);
      }
    }
  });

  it("gives our containers no unnecessary privileges", () => {
    for (const [name, container] of ours) {
      expect([name, container]).toMatchObject([name, { read_only: true, cap_drop: ["ALL"] }]);
    }
  });
});

describe("monitoring of the containers", () => {
  const file = join(DEPLOY, "compose/prometheus.yaml");

  it("reads the metrics of every service where it serves them", () => {
    const { scrape_configs: jobs } = parse(readFileSync(file, "utf8")) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const scraped = jobs.map(({ job_name: job, static_configs: [group] }) => [job, group?.targets]);
    const served = SERVICES.filter((name) => name !== "identity").map((name) => [
      name,
      [`${name}:${variablesOf(name)["OPERATIONS_PORT"]}`],
    ]);
    expect(scraped.sort()).toEqual(served.sort());
  });

  it.skipIf(isWithoutPrometheus())(
    "has a valid Prometheus configuration with rules, according to promtool",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "nutrition-prometheus-"));
      for (const mount of containerOf("prometheus").volumes ?? []) {
        const [source = "", target = ""] = mount.split(":");
        if (!source.startsWith(".")) continue;
        mkdirSync(join(folder, target), { recursive: true });
        cpSync(join(DEPLOY, source), join(folder, target), { recursive: true });
      }
      const config = join(folder, "etc/nutrition/compose/prometheus.yaml");
      const { stdout, stderr } = spawnSync("promtool", ["check", "config", config], {
        encoding: "utf8",
      });
      await rm(folder, { recursive: true });
      expect(stdout, stderr).toMatch(/SUCCESS: \d+ rules found/);
    },
  );

  it("shows the dashboards, from existing sources", () => {
    const { environment = {}, volumes: mounts = [] } = containerOf("grafana");
    const home = environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"] ?? "";
    const mount = mounts.find((each) => each.includes(":/var/lib/dashboards"));
    const folder = join(DEPLOY, mount?.split(":")[0] ?? "");
    expect(existsSync(home.replace("/var/lib/dashboards", folder))).toBe(true);
    const sources = readFileSync(join(DEPLOY, "compose/grafana/datasources/sources.yaml"), "utf8");
    const { datasources } = parse(sources) as { datasources: { url: string }[] };
    for (const { url } of datasources) expect(services).toHaveProperty(new URL(url).hostname);
  });
});

function variablesOf(name: string): Record<string, string> {
  const { environment = {}, entrypoint = [] } = containerOf(name);
  const file = entrypoint
    .find((word) => word.startsWith("--env-file="))
    ?.split("/")
    .at(-1);
  const secret = file ? parseEnv(readFileSync(join(secrets, file), "utf8")) : {};
  return { ...environment, ...(secret as Record<string, string>) };
}

/** Ports on which the container listens that `caller` reaches as `host`. */
function listenersAt(caller: string, host: string): string[] {
  const network = containerOf(caller).network_mode?.replace("service:", "") ?? caller;
  const isLocal = host === "127.0.0.1";
  const named = isLocal ? network : (aliases().get(host) ?? host);
  const targets = Object.keys(services).filter(
    (name) => name === named || containerOf(name).network_mode === `service:${named}`,
  );
  return targets.flatMap((name) => {
    const { PORT, RPC_PORT } = containerOf(name).environment ?? {};
    return [PORT, RPC_PORT, PORTS[name]].filter((port) => port !== undefined);
  });
}

/** Containers by their aliases in the network. */
function aliases(): Map<string, string> {
  const all = Object.entries(services).flatMap(([name, { networks }]) =>
    (networks?.default.aliases ?? []).map((alias): [string, string] => [alias, name]),
  );
  return new Map(all);
}
