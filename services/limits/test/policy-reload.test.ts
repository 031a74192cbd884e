import { spawnSync } from "node:child_process";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { silentLogger } from "@nutrition/service/logger";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../src/config.ts";
import { accountSubject, keySubject } from "../src/domain/usage.ts";
import type { Setting } from "./setup.ts";
import {
  POLICY_FILE,
  callOf,
  countKey,
  createSetting,
  impatientClock,
  newUser,
  reserve,
  startInstance,
} from "./setup.ts";

let setting: Setting;
let folder: string;

beforeAll(async () => {
  setting = await createSetting();
  folder = await mkdtemp(join(tmpdir(), "limits-policies-"));
});

afterAll(async () => {
  await setting[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Shipped {
  policies: { name: string; max: number }[];
  overrides: object[];
}

/** A file with different maxima than the shipped one, or with overrides. */
async function writePolicies(
  file: string,
  maxima: Record<string, number>,
  overrides: object[] = [],
) {
  const shipped = JSON.parse(readFileSync(POLICY_FILE, "utf8")) as Shipped;
  const policies = shipped.policies.map((policy) => ({
    ...policy,
    max: maxima[policy.name] ?? policy.max,
  }));
  await replaceFile(file, JSON.stringify({ policies, overrides }));
}

/** Replaces the file atomically, as a deployment does, so that nobody reads half a file. */
async function replaceFile(file: string, text: string) {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** An instance with its own policy file, and its logged errors. */
async function setup(name: string, options: { clock?: typeof impatientClock } = {}) {
  const file = join(folder, name);
  await writePolicies(file, { "key-hour": 2 });
  const errors: object[] = [];
  const logger = { ...silentLogger, error: (facts: object) => void errors.push(facts) };
  const { policies } = readConfig(environment(file));
  const changes = { LIMITS_POLICY_FILE: file, policies };
  const instance = await startInstance(setting, changes, { logger, ...options });
  return { file, instance, errors };
}

function environment(file: string): NodeJS.ProcessEnv {
  const { identity, test } = setting;
  return {
    DATABASE_URL: test.url,
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("limits")),
    IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
    JOURNAL_ADDRESS: "127.0.0.1:1",
    LIMITS_POLICY_FILE: file,
  };
}

test("a changed file takes effect without a restart, for cached denials too", async () => {
  const { file, instance } = await setup("changed.json", { clock: impatientClock });
  await using _ = instance;
  const gateway = instance.as("gateway");
  const user = newUser();
  for (let n = 0; n < 2; n += 1) await countKey(gateway, user);
  expect((await countKey(gateway, user)).refusal).toMatchObject({ used: 2 });

  await writePolicies(file, { "key-hour": 3 });

  await expect.poll(async () => (await countKey(gateway, user)).refusal).toBeUndefined();
  expect((await countKey(gateway, user)).refusal).toMatchObject({ used: 3 });
});

test("SIGHUP reads the file again", async () => {
  const { file, instance } = await setup("signal.json");
  await using _ = instance;
  const user = newUser();
  await writePolicies(file, { "key-hour": 1 });
  process.emit("SIGHUP");
  const limit = async () => (await countKey(instance.as("gateway"), user)).policies[0]?.max;
  await expect.poll(limit).toBe(1);
});

test.each([
  ["not JSON", "{"],
  ["no policies", '{"policies":[]}'],
  [
    "no policy that counts everything",
    '{"policies":[{"name":"a","counts":"lines","max":1,"window_seconds":1}]}',
  ],
])("a file with %s changes nothing, and the reason is logged once", async (name, text) => {
  const { file, instance, errors } = await setup(`${name}.json`, { clock: impatientClock });
  await using _ = instance;
  await replaceFile(file, text);
  await expect.poll(() => errors.length).toBe(1);
  const { policies } = await countKey(instance.as("gateway"), newUser());
  expect(policies).toMatchObject([{ name: "key-hour", max: 2 }]);
  await writePolicies(file, { "key-hour": 5 });
  const limit = async () => (await countKey(instance.as("gateway"), newUser())).policies[0]?.max;
  await expect.poll(limit).toBe(5);
  expect(errors).toHaveLength(1);
});

test("overrides apply to their key or account only", async () => {
  const { file, instance } = await setup("overrides.json");
  await using _ = instance;
  const [ownKey, ownAccount, other, blocked] = [newUser(), newUser(), newUser(), newUser()];
  await writePolicies(file, {}, [
    { subject: keySubject(ownKey.credentialId), policy: "key-hour", max: 300 },
    { subject: accountSubject(ownAccount.accountId), policy: "key-hour", max: 200 },
    { subject: accountSubject(blocked.accountId), policy: "mutations-day", max: 0 },
  ]);
  process.emit("SIGHUP");
  const limitOf = async (user: typeof other) =>
    (await countKey(instance.as("gateway"), user)).policies[0]?.max;
  await expect.poll(() => limitOf(ownKey)).toBe(300);
  expect(await limitOf(ownAccount)).toBe(200);
  expect(await limitOf(other)).toBe(120);
  const { outcome } = await reserve(instance.as("journal"), await callOf(setting, blocked));
  expect(outcome).toMatchObject({ case: "refusal", value: { violated: ["mutations-day"] } });
  expect(outcome.value).not.toHaveProperty("retryAfter");
});

test("a lengthened window counts earlier usage", async () => {
  const { file, instance } = await setup("window.json");
  await using _ = instance;
  const user = newUser();
  const gateway = instance.as("gateway");
  await countKey(gateway, user);
  const shipped = JSON.parse(readFileSync(POLICY_FILE, "utf8")) as Shipped;
  const policies = shipped.policies.map((policy) =>
    policy.name === "key-hour" ? { ...policy, max: 3, window_seconds: 7_200 } : policy,
  );
  await replaceFile(file, JSON.stringify({ policies }));
  process.emit("SIGHUP");
  await expect
    .poll(async () => (await countKey(gateway, user, 20)).refusal)
    .toMatchObject({ deciding: { windowSeconds: 7_200 } });

  const { policies: states } = await countKey(gateway, user);

  expect(states).toMatchObject([{ windowSeconds: 7_200, remaining: 1 }]);
});

test("an invalid policy file is an invalid configuration", () => {
  const file = join(folder, "missing.json");
  expect(() => readConfig(environment(file))).toThrow(/LIMITS_POLICY_FILE/);
});

test.each([
  ["is valid", 0, /the configuration is valid/, readFileSync(POLICY_FILE, "utf8")],
  ["is not", 1, /LIMITS_POLICY_FILE.*policies\.0\.max/s, badPolicies()],
])(
  "--check-config reports, without starting, that a policy file %s",
  async (_, code, said, text) => {
    const file = join(folder, `checked-${code}.json`);
    await writeFile(file, text);
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const env = { ...environment(file), DATABASE_URL: "postgres://127.0.0.1:1/none" };
    const checked = spawnSync(process.execPath, [main, "--check-config"], {
      env,
      encoding: "utf8",
    });
    expect(checked).toMatchObject({ status: code, stdout: expect.stringMatching(said) });
  },
);

function badPolicies(): string {
  const shipped = JSON.parse(readFileSync(POLICY_FILE, "utf8")) as Shipped;
  return JSON.stringify({ policies: shipped.policies.map((each) => ({ ...each, max: 0 })) });
}
