import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { missingEntries } from "../src/secrets/cluster-secret.ts";
import type { RotationStep } from "../src/secrets/rotate-secret.ts";
import { ROTATION_STEPS, rotate } from "../src/secrets/rotate-secret.ts";

const MAIN = join(import.meta.dirname, "../src/main.ts");
const ENTRIES = missingEntries({});
const OTHERS = { "of-the-operator": "kept" };

/** The Secret before and after each step. */
function follow(entry: string, steps: readonly RotationStep[] = ROTATION_STEPS) {
  return steps.reduce((states, step) => [...states, rotate(states.at(-1) ?? {}, entry, step)], [
    { ...ENTRIES, ...OTHERS },
  ] as Record<string, string>[]);
}
const parsed = (text: string | undefined) => JSON.parse(text ?? "") as never;
const kidsOf = (state: Record<string, string> | undefined) =>
  (parsed(state?.["identity-trusted-keys"]) as { keys: { kid: string }[] }).keys.map(
    ({ kid }) => kid,
  );

describe("a replaced entry", () => {
  it.each([
    ...["admin", "gateway", "journal", "limits", "web"].map((name) => `identity-key-${name}`),
    ...["analysis", "auth", "journal", "limits"].map((name) => `database-password-${name}`),
    "session-keys",
    "key-peppers",
  ])("%s is replaced after the last step, with nothing left over", (entry) => {
    const [before, , , after] = follow(entry);
    expect(after?.[entry]).not.toBe(before?.[entry]);
    expect(Object.keys(after ?? {}).sort()).toEqual(Object.keys(before ?? {}).sort());
    expect(after).toMatchObject(OTHERS);
  });

  it.each(["identity-key-limits", "database-password-auth", "session-keys", "key-peppers"])(
    "%s is left unchanged by an upgrade between two steps",
    (entry) => {
      for (const state of follow(entry)) expect(missingEntries(state)).toEqual({});
    },
  );

  it("its public key is trusted from before the private one is used until after it is retired", () => {
    const [before, begun, switched, ended] = follow("identity-key-gateway");
    const kidOf = (state: Record<string, string> | undefined) =>
      (parsed(state?.["identity-key-gateway"]) as { kid: string }).kid;
    expect(kidOf(begun)).toBe(kidOf(before));
    expect(kidOf(switched)).not.toBe(kidOf(before));
    for (const state of [begun, switched]) {
      expect(kidsOf(state)).toEqual([...kidsOf(before), kidOf(switched)]);
    }
    expect(kidsOf(ended)).toEqual(kidsOf(switched).filter((kid) => kid !== kidOf(before)));
  });

  it("services have both passwords for as long as the database may have either", () => {
    const name = "database-password-journal";
    const [before, begun, switched] = follow(name);
    expect(begun?.[name]).toBe(before?.[name]);
    expect(switched?.[name]).toBe(begun?.[`${name}-fallback`]);
    expect(switched?.[`${name}-fallback`]).toBe(before?.[name]);
  });

  it("cookies are encrypted with the new session key only once all instances can decrypt them", () => {
    const [before, begun, switched, ended] = follow("session-keys").map(
      (state) => parsed(state["session-keys"]) as string[],
    );
    const [old = ""] = before ?? [];
    expect(begun?.[0]).toBe(old);
    expect(switched).toEqual(begun?.toReversed());
    expect(ended).toEqual(switched?.slice(0, 1));
  });

  it.each(["key-peppers", "key-signing-secrets"])(
    "new API keys use the new version of %s only once all instances can verify them",
    (entry) => {
      const versions = follow("key-peppers").map((state) => [
        Object.keys(parsed(state[entry])),
        state["key-pepper-version"],
      ]);
      expect(versions).toEqual([
        [["1"], "1"],
        [["1", "2"], "1"],
        [["1", "2"], "2"],
        [["2"], "2"],
      ]);
    },
  );

  it("peppers are replaced in a Secret that has no signing secrets yet", () => {
    const { "key-signing-secrets": _, ...earlier } = ENTRIES;
    const ended = ROTATION_STEPS.reduce(
      (state, step) => rotate(state, "key-peppers", step),
      earlier,
    );
    expect(Object.keys(parsed(ended["key-peppers"]))).toEqual(["2"]);
    expect(Object.keys(ended).sort()).toEqual(Object.keys(earlier).sort());
  });

  it.each([
    ["identity-key-web", ["switch"], "begin first"],
    ["identity-key-web", ["begin", "begin"], "has already begun"],
    ["identity-key-web", ["begin", "end"], "switched first"],
    ["database-password-auth", ["end"], "begin first"],
    ["key-pepper-version", ["begin"], "cannot be replaced; these can: key-peppers"],
  ] as const)("refuses steps of %s that are out of order: %j", (entry, steps, reason) => {
    expect(() => follow(entry, steps)).toThrow(reason);
  });
});

describe("the command", () => {
  const run = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [MAIN, "rotate", ...args], { input, encoding: "utf8" });
  const data = Object.fromEntries(
    Object.entries(ENTRIES).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  const metadata = { name: "journal-secrets", resourceVersion: "7" };

  it("reads the Secret from kubectl and returns it with its version", () => {
    const secret = JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata, data });
    const { status, stdout } = run(secret, "session-keys", "begin");
    expect(status).toBe(0);
    const { "session-keys": changed, ...rest } = (parsed(stdout) as { data: typeof data }).data;
    expect(parsed(stdout)).toMatchObject({ apiVersion: "v1", kind: "Secret", metadata });
    expect({ ...rest, "session-keys": data["session-keys"] }).toEqual(data);
    expect(parsed(Buffer.from(changed ?? "", "base64").toString())).toHaveLength(2);
  });

  it("prints nothing for kubectl when something is wrong", () => {
    for (const input of ["", "{}", JSON.stringify({ kind: "Secret", data: {} })]) {
      const { status, stdout, stderr } = run(input, "session-keys", "begin");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/kubectl get secret|session-keys/);
    }
  });
});
