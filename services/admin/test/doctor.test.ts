import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { toFailure } from "@nutrition/core/failure";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import type { ServiceName } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { runCommandLine } from "../src/command-line.ts";
import { readConfig } from "../src/config.ts";
import type { Finding } from "../src/doctor/finding.ts";
import { Services } from "../src/services.ts";
import { Installation, run } from "./installation.ts";

const NOWHERE = "127.0.0.1:1";

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.start();
  // On a busy machine, the gateway's first check of its backends may take longer than the second it has.
  const isServing = async () => expect(problemsIn(await examine())).toEqual([]);
  await vi.waitFor(isServing, { timeout: 20_000 });
}, 120_000);
afterAll(() => installation[Symbol.asyncDispose]());
afterEach(() => {
  Object.assign(installation.provider.faults, { keySet: "ok", isDiscoveryFailing: false });
});

/** A clock with this offset, which never waits. */
function clockOff(ms: number): Clock {
  const now = () => new Date(Date.now() + ms);
  return { ...systemClock, now, sleep: async () => {} };
}

interface Examined {
  exitCode: number;
  stdout: string;
  healthy: boolean;
  findings: Finding[];
}

/**
 * The doctor's findings, with some changed settings of the operator. It allows each service 2 s, which all
 * of them in this process on a busy machine may exceed; its advice then is to try again.
 */
async function examine(changed: { [name: string]: string } = {}, clock = clockOff(0)) {
  for (;;) {
    const examined = await examineOnce(changed, clock);
    const silent = examined.findings.filter(({ code }) => code === "inspection_failed");
    if (silent.length === 0) return examined;
    console.log(silent.map(({ message }) => message).join("\n"));
  }
}

async function examineOnce(changed: { [name: string]: string }, clock: Clock) {
  const environment = { ...installation.environment, ...changed };
  using services = new Services(() => readConfig(environment), clock);
  const { stdout, stderr, exitCode } = await runCommandLine(
    ["doctor", "--json"],
    services,
    async () => {},
  );
  expect(stderr).toBe("");
  return { stdout, exitCode, ...JSON.parse(stdout) } as Examined;
}

function problemsIn({ findings }: Examined): string[] {
  return findings.filter(({ level }) => level === "problem").map(nameOf);
}

function nameOf({ subject, code }: Finding): string {
  return `${subject}: ${code}`;
}

test("a correct installation has no problem and no warning", async () => {
  const examined = await examine();
  expect(examined).toMatchObject({ healthy: true, exitCode: 0 });
  const unchecked = examined.findings.filter(({ level }) => level === "unchecked");
  expect(examined.findings.filter(({ level }) => level !== "ok")).toEqual(unchecked);
  const names = examined.findings.map(nameOf);
  for (const service of ["auth", "journal", "limits", "analysis"]) {
    expect(names).toContain(`${service}: serving`);
    expect(names).toContain(`${service} database: schema_current`);
    expect(names).toContain(`${service} database: role_bounded`);
  }
  for (const name of [
    ...["gateway: serving", "web: serving", "public address: serving", "pages: serving"],
    ...["versions: versions_agree", "limits: policies_agree"],
    "identity provider: key_set_usable",
  ]) {
    expect(names).toContain(name);
  }
});

test("text for people has a mark, the finding, and what to do", async () => {
  const environment = { ...installation.environment, JOURNAL_ADDRESS: NOWHERE };
  using services = new Services(() => readConfig(environment), clockOff(0));
  const { stdout, exitCode } = await runCommandLine(["doctor"], services, async () => {});
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^✓ limits +Responds and accepts calls\.$/m);
  expect(stdout).toMatch(/^✗ journal +Does not respond: .*\n +→ Check whether its process runs/m);
  expect(stdout).toMatch(/^1 problem and 0 warnings\.\n$/m);
});

const INSPECTED = ["auth", "journal", "limits", "analysis", "gateway", "web"] as const;

test.each(INSPECTED)("reports missing %s and still checks everything else", async (service) => {
  const examined = await examine({ [`${service.toUpperCase()}_ADDRESS`]: NOWHERE });
  expect(examined.exitCode).toBe(1);
  expect(problemsIn(examined)).toEqual([`${service}: unreachable`]);
  expect(examined.findings.filter(({ code }) => code === "serving")).toHaveLength(7);
});

test("a service that accepts connections but never responds does not delay the rest", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  const examined = await examine({ LIMITS_ADDRESS: address, AUTH_URL: `http://${address}` });
  expect(problemsIn(examined)).toContain("limits: unreachable");
  expect(problemsIn(examined)).toContain("identity provider: key_set_away");
  silent.close();
});

test("reports a schema that lacks a migration, with the migration's name", async () => {
  const { limits } = installation.databases;
  await run(limits, "begin; create table kept as select * from schema_migrations; commit");
  await run(limits, "delete from schema_migrations where version >= 2");
  const examined = await examine();
  await run(limits, "truncate schema_migrations; insert into schema_migrations select * from kept");
  await run(limits, "drop table kept");
  expect(problemsIn(examined)).toEqual(["limits database: migrations_pending"]);
  const finding = examined.findings.find(({ code }) => code === "migrations_pending");
  expect(finding?.message).toMatch(/lacks 0002_\w+\.sql/);
  expect(finding?.advice).toContain("Apply the migrations");
});

test("reports a role that owns the schema or is a superuser", async () => {
  const { address } = await installation.start("auth", {
    DATABASE_URL: installation.databases.auth.url,
  });
  expect(problemsIn(await examine({ AUTH_ADDRESS: address }))).toEqual([
    "auth database: role_unbounded",
  ]);
});

test("a service whose database is down says so and reports the rest", async () => {
  const { address } = await installation.start("auth", {
    DATABASE_URL: `postgres://auth:pw-of-nobody@${NOWHERE}/x`,
  });
  const examined = await examine({ AUTH_ADDRESS: address });
  expect(problemsIn(examined)).toEqual(["auth database: database_unreachable"]);
  expect(examined.findings.map(nameOf)).toContain("auth: serving");
});

test("reports a key set, and then a whole provider, that are unavailable", async () => {
  const { faults } = installation.provider;
  faults.keySet = "failing";
  expect(problemsIn(await examine())).toEqual(["identity provider: key_set_away"]);
  faults.isDiscoveryFailing = true;
  expect(problemsIn(await examine())).toEqual([
    "identity provider: discovery_unreachable",
    "identity provider: key_set_away",
  ]);
});

test("reports a provider with a different issuer than expected", async () => {
  const other = installation.provider.issuer.replace("127.0.0.1", "localhost");
  expect(problemsIn(await examine({ AUTH_URL: other }))).toEqual([
    "identity provider: issuer_differs",
  ]);
});

test("reports a Redis that is unavailable, and instances without one", async () => {
  const url = `redis://:redis-password@${NOWHERE}`;
  installation.secrets.push("redis-password");
  const { address } = await installation.start("limits", { REDIS_URL: url });
  expect(problemsIn(await examine({ LIMITS_ADDRESS: address }))).toEqual([
    "Redis: redis_unreachable",
  ]);
  const { findings } = await examine();
  expect(findings.find(({ code }) => code === "redis_none")?.level).toBe("unchecked");
});

test("reports instances of limits with different policies, each by its address", async () => {
  const other = await installation.start("limits", {
    LIMITS_POLICY_FILE: installation.policyFile(),
  });
  const { LIMITS_ADDRESS: first } = installation.environment;
  const examined = await examine({ LIMITS_ADDRESS: `${first},${other.address}` });
  expect(problemsIn(examined)).toEqual(["limits: policies_differ"]);
  const finding = examined.findings.find(({ code }) => code === "policies_differ");
  expect(finding?.message).toContain(`(limits ${other.address})`);
});

test("reports clocks that differ: this machine's, and a service's from its database's", async () => {
  const here = problemsIn(await examine({}, clockOff(-10_000)));
  const machines = [...INSPECTED, "public address"];
  expect(here).toEqual(machines.map((name) => `${name}: clock_differs`));
  const clock = { ...clockOff(20_000), sleep: systemClock.sleep };
  const { address } = await installation.start("limits", {}, clock);
  expect(problemsIn(await examine({ LIMITS_ADDRESS: address }))).toEqual([
    "limits: clock_differs",
    "limits database: clock_differs",
  ]);
});

test("reports every service that does not trust the operator's key", async () => {
  const stranger = JSON.stringify(installation.identity.privateKey("web"));
  expect(problemsIn(await examine({ IDENTITY_PRIVATE_KEY: stranger }))).toEqual(
    INSPECTED.map((name) => `${name}: operator_refused`),
  );
});

test.each(INSPECTED)("only the operator may inspect %s, and not for a user", async (service) => {
  const address = installation.environment[`${service.toUpperCase()}_ADDRESS`] ?? "";
  const user: UserIdentity = {
    accountId: randomUUID(),
    credentialKind: "session",
    credentialId: randomUUID(),
    scopes: [],
  };
  const outcomeFor = async (caller: ServiceName, options: Partial<CallOptions> = {}) => {
    const issuer = installation.identity.issuer(caller);
    const transport = new UnaryTransport({ address, issuer, service });
    const { inspect } = createClient(OperationsService, transport);
    const outcome = inspect({}, { timeoutMs: 5_000, ...options });
    const kind = await outcome.then(
      () => "answered",
      (error) => toFailure(error).kind,
    );
    transport.close();
    return kind;
  };
  for (const caller of ["gateway", "web", "journal", "limits", "auth", "analysis"] as const) {
    expect(await outcomeFor(caller)).toBe("permission_denied");
  }
  expect(await outcomeFor("admin", { user })).toBe("permission_denied");
  expect(await outcomeFor("admin")).toBe("answered");
});

test("the doctor's output contains no secret, even when much is wrong", async () => {
  const auth = await installation.start("auth", {
    DATABASE_URL: `postgres://auth:database-password@${NOWHERE}/x`,
    REDIS_URL: `redis://:redis-password@${NOWHERE}`,
  });
  const secrets = [...installation.secrets, "database-password", "redis-password", "an-api-key"];
  const well = await examine({ AUTH_API_KEY: "an-api-key" });
  const badly = await examine({ AUTH_ADDRESS: auth.address, JOURNAL_ADDRESS: NOWHERE });
  expect(problemsIn(badly)).not.toEqual([]);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(well.stdout + badly.stdout).not.toContain(secret);
  }
});
