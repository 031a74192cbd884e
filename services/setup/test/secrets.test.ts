import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { testAuthority } from "@nutrition/core/testing-certificates";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { missingEntries } from "../src/secrets/cluster-secret.ts";
import { ensureSecret } from "../src/secrets/ensure-secret.ts";
import { KubernetesSecrets } from "../src/secrets/kubernetes-secrets.ts";
import { newIdentityKey } from "../src/secrets/new-secrets.ts";
import { untilAvailable } from "../src/until-available.ts";
import type { ApiServer } from "./api-server.ts";
import { startApiServer } from "./api-server.ts";

const NAME = "journal-secrets";
const ENTRIES = [
  ...["admin", "gateway", "journal", "limits", "web"].map((name) => `identity-key-${name}`),
  ...["analysis", "auth", "journal", "limits", "postgres"].map((n) => `database-password-${n}`),
  ...["identity-trusted-keys", "key-peppers", "key-pepper-version", "key-signing-secrets"],
  "session-keys",
].sort();

let server: ApiServer;
let secrets: KubernetesSecrets;
beforeEach(async () => {
  server = await startApiServer();
  secrets = new KubernetesSecrets(server.access);
});
afterEach(async () => {
  await secrets[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const stored = () => server.entriesOf(NAME) ?? {};
const parsed = (entry: string) => JSON.parse(stored()[entry] ?? "") as unknown;
interface Key {
  kid: string;
  service: string;
  x: string;
}
const trusted = () => (parsed("identity-trusted-keys") as { keys: Key[] }).keys;

describe("the cluster's Secret", () => {
  it("is created with every entry when it is missing", async () => {
    expect((await ensureSecret(secrets, NAME)).sort()).toEqual(ENTRIES);
    expect(Object.keys(stored()).sort()).toEqual(ENTRIES);
    expect(parsed("key-peppers")).toHaveProperty(stored()["key-pepper-version"] ?? "");
  });

  it("trusts the public half of each identity key, without any private part", async () => {
    await ensureSecret(secrets, NAME);
    for (const { kid, service, x } of trusted()) {
      expect(parsed(`identity-key-${service}`)).toMatchObject({ kid, x });
    }
    expect(trusted()).toHaveLength(5);
    expect(stored()["identity-trusted-keys"]).not.toContain('"d"');
  });

  it("is left unchanged when it is complete", async () => {
    await ensureSecret(secrets, NAME);
    const before = stored();
    server.requests.length = 0;
    expect(await ensureSecret(secrets, NAME)).toEqual([]);
    expect(stored()).toEqual(before);
    expect(server.requests).toEqual([`GET /api/v1/namespaces/journal/secrets/${NAME}`]);
  });

  it.each(ENTRIES.filter((entry) => entry !== "key-peppers"))(
    "gets its missing %s, while every other secret stays",
    async (entry) => {
      await ensureSecret(secrets, NAME);
      const { [entry]: _, ...rest } = stored();
      server.put(NAME, { ...rest, "of-the-operator": "kept" });
      expect(await ensureSecret(secrets, NAME)).toContain(entry);
      const { "identity-trusted-keys": keys, ...kept } = rest;
      expect(stored()).toMatchObject({ ...kept, "of-the-operator": "kept" });
      // Trusted keys stay trusted: pods with the old private key are still running.
      const before = (JSON.parse(keys ?? '{"keys":[]}') as { keys: Key[] }).keys;
      expect(trusted()).toEqual(expect.arrayContaining(before));
      expect(Object.keys(stored())).toEqual(expect.arrayContaining(ENTRIES));
    },
  );

  it("keeps trusting a key that an operator added", async () => {
    await ensureSecret(secrets, NAME);
    const before = trusted();
    const rotated = newIdentityKey("gateway");
    server.put(NAME, { ...stored(), "identity-key-gateway": JSON.stringify(rotated) });
    expect(await ensureSecret(secrets, NAME)).toEqual(["identity-trusted-keys"]);
    expect(trusted().map(({ kid }) => kid)).toEqual([...before.map(({ kid }) => kid), rotated.kid]);
  });

  it("is not completed with new peppers when the old ones are lost", () => {
    expect(() => missingEntries({ "key-pepper-version": "2" })).toThrow("Restore it from a backup");
    const peppers = JSON.stringify({ 1: "a", 12: "b", 3: "c" });
    expect(missingEntries({ "key-peppers": peppers })).toMatchObject({
      "key-pepper-version": "12",
    });
  });

  it("is left alone when unreadable, and the error names the entry without its value", async () => {
    server.put(NAME, { "identity-key-web": "hunter2" });
    const error = await ensureSecret(secrets, NAME).catch(String);
    expect(error).toContain("identity-key-web");
    expect(error).not.toContain("hunter2");
    expect(stored()).toEqual({ "identity-key-web": "hunter2" });
  });
});

describe("two concurrent completions", () => {
  it("both return what the first one created", async () => {
    server.interruptions.push(
      () => {},
      () => server.put(NAME, { "session-keys": "of the other" }),
    );
    await ensureSecret(secrets, NAME);
    expect(stored()["session-keys"]).toBe("of the other");
    expect(Object.keys(stored()).sort()).toEqual(ENTRIES);
  });

  it("both return what the first one added", async () => {
    server.put(NAME, {});
    server.interruptions.push(
      () => {},
      () => server.put(NAME, { "session-keys": "of the other" }),
    );
    await ensureSecret(secrets, NAME);
    expect(stored()["session-keys"]).toBe("of the other");
    expect(Object.keys(stored()).sort()).toEqual(ENTRIES);
  });

  it("result in one Secret when neither waits for the other", async () => {
    await Promise.all([1, 2, 3].map(() => ensureSecret(secrets, NAME)));
    const after = stored();
    expect(await ensureSecret(secrets, NAME)).toEqual([]);
    expect(stored()).toEqual(after);
  });
});

describe("an API server", () => {
  const patience = { clock: new ManualClock("2026-01-01T00:00:00Z"), logger: silentLogger };
  const ensure = () =>
    untilAvailable("the API server", () => ensureSecret(secrets, NAME), patience);

  it("that is overloaded or starting is called again", async () => {
    server.interruptions.push(503, 429, 500);
    expect((await ensure()).sort()).toEqual(ENTRIES);
  });

  it("that stays unavailable fails the command in the end", async () => {
    server.interruptions.push(...Array.from({ length: 200 }, () => 503));
    await expect(ensure()).rejects.toThrow("cannot be reached");
    expect(server.requests.length).toBeLessThan(100);
  });

  it("that refuses is called once, and its reason is shown", async () => {
    server.interruptions.push(403);
    await expect(ensure()).rejects.toThrow("status 403: refused with 403");
    expect(server.requests).toHaveLength(1);
  });

  it("without a certificate of the cluster's authority receives nothing", async () => {
    const certificateAuthority = testAuthority("somebody else").certificate;
    await using others = new KubernetesSecrets({ ...server.access, certificateAuthority });
    await expect(ensureSecret(others, NAME)).rejects.toThrow("cannot be reached");
    expect(server.requests).toEqual([]);
  });
});
