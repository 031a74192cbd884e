import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { runCommandLine } from "../src/command-line.ts";
import { readConfig } from "../src/config.ts";
import { Services } from "../src/services.ts";
import type { RunningServices } from "./running-services.ts";
import { startServices } from "./running-services.ts";

let services: RunningServices;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services[Symbol.asyncDispose]());

/** Runs a command that must succeed and returns its JSON value. */
async function json(args: readonly string[], environment = services.environment) {
  using clients = new Services(() => readConfig(environment));
  const { stdout, stderr } = await runCommandLine([...args, "--json"], clients, async () => {});
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

async function createAccount(): Promise<{ id: string; email: string }> {
  return json(["accounts", "create", "--email", `${randomUUID()}@example.com`]);
}

function createKey(account: string, ...more: string[]): Promise<{ id: string }> {
  return json(["keys", "create", "--account", account, "--scopes", "service.read", ...more]);
}

test("names the subjects with the most usage, as far as auth knows them", async () => {
  const [{ id, email }, other] = [await createAccount(), await createAccount()];
  const key = await createKey(id, "--name", "laptop");
  const foreign = await createKey(other.id);
  await json(["keys", "revoke", foreign.id, "--account", other.id]);
  const owner = {
    [`account:${id}`]: { email, key_name: null },
    [`key:${key.id}`]: { email, key_name: "laptop" },
    [`key:${foreign.id}`]: { email: other.email, key_name: null },
    [`connector:${id}:client`]: { email, key_name: null },
    [`account:${randomUUID()}`]: { email: null, key_name: null },
    [`key:${randomUUID()}`]: { email: null, key_name: null },
  };
  services.topSubjects.splice(0, Infinity, ...Object.keys(owner));
  const units = 86_400;
  const expected = Object.entries(owner).map(([subject, name]) => ({ subject, ...name, units }));
  expect(await json(["usage", "top"])).toEqual(expected);
});

test("shows usage without names while auth is down", async () => {
  const subject = `account:${randomUUID()}`;
  services.topSubjects.splice(0, Infinity, subject);
  const environment = { ...services.environment, AUTH_ADDRESS: "127.0.0.1:1" };
  expect(await json(["usage", "top"], environment)).toMatchObject([{ subject, email: null }]);
});
