import { randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { runCommandLine } from "../src/command-line.ts";
import { readConfig } from "../src/config.ts";
import { Services } from "../src/services.ts";
import type { Run, RunningServices } from "./running-services.ts";
import { runAdmin, startServices } from "./running-services.ts";

let services: RunningServices;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services[Symbol.asyncDispose]());

/** Runs a command in a separate process. */
const run = (...args: string[]) => runAdmin(args, services.environment);

/** Runs a command that must succeed in this process, which is faster, and returns its JSON value. */
async function json(...args: string[]) {
  using clients = new Services(() => readConfig(services.environment));
  return valueOf(await runCommandLine([...args, "--json"], clients, async () => {}));
}

/** The one JSON value that a run printed, which must have succeeded. */
function valueOf({ stdout, stderr, exitCode }: Run) {
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout.endsWith("\n")).toBe(true);
  return JSON.parse(stdout);
}

const someEmail = () => `${randomUUID()}@example.com`;
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("creates an account with all options, its timezone in the journal", async () => {
  const email = someEmail();
  const flags = ["--name", "Ana", "--timezone", "Europe/Berlin", "--premium", "--beta"];
  const account = valueOf(await run("accounts", "create", "--email", email, ...flags, "--json"));
  expect(account).toStrictEqual({
    id: expect.any(String),
    email,
    name: "Ana",
    has_premium: true,
    is_beta_tester: true,
    created_at: MOMENT,
    updated_at: MOMENT,
    timezone: "Europe/Berlin",
    invitation_link: null,
    invitation_mailed: false,
    invitation_problem: "WEB_ADDRESS is not set, so the pages cannot be asked for one.",
  });
  const update = services.settingsUpdates.find(({ accountId }) => accountId === account.id);
  expect(update).toMatchObject({
    settings: { timezone: "Europe/Berlin" },
    updateMask: { paths: ["timezone"] },
  });
});

test("changes an account by id or by address, and lists show it", async () => {
  const email = someEmail();
  const { id } = await json("accounts", "create", "--email", email, "--premium");
  const byEmail = await json("accounts", "set", email, "--no-premium", "--beta");
  expect(byEmail).toMatchObject({ id, has_premium: false, is_beta_tester: true, name: null });
  const moved = someEmail();
  await json("accounts", "set", id, "--name", "Bo", "--email", moved);
  const accounts: { id: string }[] = await json("accounts", "list");
  expect(accounts.find((account) => account.id === id)).toMatchObject({
    email: moved,
    name: "Bo",
    is_beta_tester: true,
  });
});

test("creates a key, lists it without its text, and revokes it by its public id", async () => {
  const email = someEmail();
  const { id: accountId } = await json("accounts", "create", "--email", email);
  const scopes = ["--scopes", "service.read,nutrition.write"];
  const options = [...scopes, "--expires", "2999-01-31", "--name", "laptop"];
  const created = await run("keys", "create", "--account", email, ...options, "--json");
  const { key, ...rest } = valueOf(created);
  expect(key).toMatch(/^service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{104}$/);
  expect(rest).toStrictEqual({
    id: expect.any(String),
    account_id: accountId,
    public_id: key.split("_")[2],
    prefix: expect.stringMatching(/^service_live_[0-9A-Za-z]+$/),
    name: "laptop",
    scopes: ["service.read", "nutrition.write"],
    created_at: MOMENT,
    expires_at: "2999-01-31T00:00:00.000Z",
    revoked_at: null,
    last_used_at: null,
    last_used_network: null,
    mark: null,
    leak_reported_at: null,
    leak_location: null,
  });
  expect(await json("keys", "list", "--account", accountId)).toStrictEqual([rest]);
  const revoked = await json("keys", "revoke", rest.public_id, "--account", accountId);
  expect(revoked).toStrictEqual({ ...rest, revoked_at: MOMENT });
  expect(await json("keys", "list", "--account", accountId)).toEqual([]);
  expect(await json("keys", "list", "--account", accountId, "--all")).toEqual([revoked]);
});

test("marks unused keys, which can be listed separately", async () => {
  const email = someEmail();
  await json("accounts", "create", "--email", email);
  const options = ["--account", email, "--scopes", "service.read"];
  const { id } = await json("keys", "create", ...options);
  const { public_id: fresh } = await json("keys", "create", ...options);
  await services.authDatabase.query(sql`
    update api_keys set created_at = created_at - interval '8 days' where id = ${id}
  `);
  const idle = await json("keys", "list", "--account", email, "--idle");
  expect(idle).toMatchObject([{ id, mark: "never_used" }]);
  const { stdout } = await run("keys", "list", "--account", email);
  expect(stdout).toContain("never used");
  expect(stdout).toContain(fresh);
});

test("gets usage and foods from their services", async () => {
  services.topSubjects.splice(0, Infinity, "key:1");
  expect(await json("usage", "top", "--hours", "2")).toEqual([
    { subject: "key:1", email: null, key_name: null, units: 7_200 },
  ]);
  expect(await json("usage", "refusals")).toEqual([{ policy: "key-hour", refusals: 3 }]);
  expect(await json("foods", "search", "egg")).toMatchObject([
    { reference: "sr28:01123", name: "Egg, whole (egg)", brand: null, calories_per_100g: 143 },
  ]);
});

test("prints a table for people without --json", async () => {
  const email = someEmail();
  const { stdout, exitCode } = await run("accounts", "create", "--email", email);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ID +E-MAIL +NAME +PREMIUM +BETA +TIMEZONE +CREATED\n/);
  expect(stdout).toContain(email);
});

test("a refusal is one line on standard error, JSON on request, and exit code 1", async () => {
  const email = someEmail();
  await json("accounts", "create", "--email", email);
  expect(await run("accounts", "create", "--email", email)).toEqual({
    stdout: "",
    stderr: "admin: This e-mail address belongs to another account.\n",
    exitCode: 1,
  });
  const asJson = await run("--json", "keys", "list", "--account", someEmail());
  expect(asJson).toMatchObject({ stdout: "", exitCode: 1 });
  expect(JSON.parse(asJson.stderr)).toEqual({
    error: "account_not_found",
    message: "This account does not exist.",
  });
});

test("refuses a nonexistent timezone before anything is created", async () => {
  const email = someEmail();
  const { exitCode, stderr } = await run(
    ...["accounts", "create", "--email", email, "--timezone", "Europe/Berlinn"],
  );
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Europe/Berlin.");
  expect((await run("keys", "list", "--account", email)).stderr).toContain(
    "This account does not exist",
  );
});

test("names an account whose timezone could not be set, and what to do next", async () => {
  const email = someEmail();
  services.journal.isAway = true;
  const failed = await run(...["accounts", "create", "--email", email, "--timezone", "Asia/Tokyo"]);
  services.journal.isAway = false;
  expect(failed.exitCode).toBe(1);
  const next = /Then run: (accounts set \S+ --timezone Asia\/Tokyo)/.exec(failed.stderr)?.[1];
  expect(await json(...next!.split(" "))).toMatchObject({ email, timezone: "Asia/Tokyo" });
});

test("a usage error is exit code 2, and help is exit code 0 without any service", async () => {
  const wrong = await run("accounts", "create", "--json");
  expect(wrong).toMatchObject({ stdout: "", exitCode: 2 });
  expect(JSON.parse(wrong.stderr)).toEqual({ error: "usage", message: "Give --email." });
  const help = await runAdmin(["--help"], {});
  expect(help).toMatchObject({ stderr: "", exitCode: 0 });
  expect(help.stdout).toContain("npm run -s admin -- SUBJECT COMMAND");
});

test("refers to npm start when services do not respond", async () => {
  const environment = { ...services.environment, AUTH_ADDRESS: "127.0.0.1:1" };
  const { stderr, exitCode } = await runAdmin(["accounts", "list"], environment);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("npm start");
});

test("refuses a key that the services do not know", async () => {
  const { testIdentity } = await import("@nutrition/rpc/testing");
  const stranger = JSON.stringify((await testIdentity()).privateKey("admin"));
  const environment = { ...services.environment, IDENTITY_PRIVATE_KEY: stranger };
  const { stderr, stdout, exitCode } = await runAdmin(["accounts", "list"], environment);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr).toContain("refused");
});

test("no error shows the operator's key, nor an API key that was given for its public id", async () => {
  const email = someEmail();
  await json("accounts", "create", "--email", email);
  const { key } = await json("keys", "create", "--account", email, "--scopes", "service.read");
  const privateKey = services.environment["IDENTITY_PRIVATE_KEY"]!;
  const broken = { ...services.environment, IDENTITY_PRIVATE_KEY: privateKey.slice(0, -1) };
  const runs = [
    await runAdmin(["accounts", "list"], broken),
    await run("keys", "revoke", key, "--account", email),
  ];
  for (const { stdout, stderr, exitCode } of runs) {
    expect(exitCode).toBe(1);
    expect(stdout + stderr).not.toContain(key);
    expect(stdout + stderr).not.toContain(JSON.parse(privateKey).d);
  }
});
