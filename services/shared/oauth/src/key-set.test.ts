import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { recording } from "@nutrition/telemetry/metrics/instruments";
import { keySetUnavailable, keySetFetched } from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { TestProvider } from "./testing.ts";
import { TEST_AUDIENCE, makeSigningKey, startTestProvider } from "./testing.ts";
import { supabaseTokens } from "./supabase/supabase-tokens.ts";
import { TokenVerifier } from "./token-verifier.ts";

const NOW = "2026-11-21T12:00:00Z";

function verifierOf({ issuer }: TestProvider, clock = new ManualClock(NOW)): TokenVerifier {
  return new TokenVerifier({
    provider: supabaseTokens,
    issuer,
    audience: TEST_AUDIENCE,
    clock,
    logger: silentLogger,
  });
}

describe("the key set", () => {
  it("is fetched once for many tokens, and again for an unknown key at most once in 30 s", async () => {
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    const verifier = verifierOf(own, clock);
    await Promise.all(Array.from({ length: 10 }, async () => verifier.verify(await own.token())));
    expect(own.asked).toBe(1);
    const unknown = async () => verifier.verify(await own.token({ header: { kid: "unknown" } }));
    clock.advance(30_000);
    for (let round = 0; round < 3; round += 1) await expect(unknown()).rejects.toBeDefined();
    expect(own.asked).toBe(2);
  });

  it("uses a new key with the first token signed by it", async () => {
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    const verifier = verifierOf(own, clock);
    await verifier.verify(await own.token());
    clock.advance(30_000);
    own.keys = [await makeSigningKey(), ...own.keys];
    await expect(verifier.verify(await own.token())).resolves.toBeDefined();
  });

  it("drops a removed key within ten minutes", async () => {
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    const verifier = verifierOf(own, clock);
    const token = await own.token();
    await verifier.verify(token);
    own.keys = [await makeSigningKey()];
    clock.advance(600_001);
    await expect(verifier.verify(token)).rejects.toMatchObject({ fault: "invalid" });
  });

  it("refuses only tokens with unknown keys while it is unavailable, and not as invalid", async () => {
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    const verifier = verifierOf(own, clock);
    await verifier.verify(await own.token());
    own.status = 500;
    clock.advance(23 * 3_600_000);
    await expect(verifier.verify(await own.token())).resolves.toBeDefined();
    const unknown = await own.token({ header: { kid: "unknown" } });
    const failure = { kind: "unavailable", reason: "KEY_SET_UNAVAILABLE" };
    await expect(verifier.verify(unknown)).rejects.toMatchObject(failure);
    clock.advance(3_600_001);
    await expect(verifier.verify(await own.token())).rejects.toMatchObject(failure);
    own.status = 200;
    clock.advance(2_000);
    await expect(verifier.verify(await own.token())).resolves.toBeDefined();
  });

  it("delays no token with a known key while it is unavailable", async () => {
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    const answers: (typeof fetch)[] = [
      fetch,
      () => Promise.reject(new Error("away")),
      () => new Promise(() => {}),
    ];
    const verifier = new TokenVerifier({
      provider: supabaseTokens,
      issuer: own.issuer,
      audience: TEST_AUDIENCE,
      clock,
      logger: silentLogger,
      fetch: (...request) => (answers.shift() ?? fetch)(...request),
    });
    for (const left of [2, 1, 0]) {
      await expect(verifier.verify(await own.token())).resolves.toBeDefined();
      expect(answers).toHaveLength(left);
      clock.advance(600_001);
    }
  });

  it("reports the time of its last fetch in metrics, 1970 if there was none", async () => {
    using _ = recordMetrics();
    await using own = await startTestProvider(new ManualClock(NOW));
    own.status = 503;
    const clock = new ManualClock(NOW);
    const verifier = verifierOf(own, clock);
    const now = () => [valueNow(keySetUnavailable), valueNow(keySetFetched)];
    await expect(verifier.verify(await own.token())).rejects.toMatchObject({ kind: "unavailable" });
    expect(now()).toEqual([1, 0]);
    own.status = 200;
    clock.advance(30_000);
    const startedAt = Date.now() / 1_000;
    await verifier.verify(await own.token());
    expect(now()).toEqual([0, expect.any(Number)]);
    expect(now()[1]).toBeGreaterThanOrEqual(startedAt);
  });

  it("refuses no token as invalid when it is unavailable at the start", async () => {
    await using own = await startTestProvider(new ManualClock(NOW));
    own.status = 503;
    const verifying = verifierOf(own).verify(await own.token());
    await expect(verifying).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("is fetched before the first token when warmed", async () => {
    await using own = await startTestProvider(new ManualClock(NOW));
    const verifier = verifierOf(own);
    using _ = verifier.keepWarm();
    await expect.poll(() => own.asked).toBe(1);
    await verifier.verify(await own.token());
    expect(own.asked).toBe(1);
  });

  it("is fetched again after an outage without waiting for a token, when kept warm", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = new ManualClock(NOW);
    await using own = await startTestProvider(clock);
    own.status = 503;
    const isAway = () => keySetUnavailable.series[0]?.value;
    recording.isOn = true;
    onTestFinished(() => void (recording.isOn = false));
    {
      using _ = verifierOf(own, clock).keepWarm();
      await expect.poll(isAway).toBe(1);
      own.status = 200;
      clock.advance(10_000);
      vi.advanceTimersByTime(10_000);
      await expect.poll(isAway).toBe(0);
      clock.advance(30_000);
      vi.advanceTimersByTime(30_000);
      expect(own.asked).toBe(2);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("verifies nothing with symmetric, weak or encryption keys", async () => {
    await using own = await startTestProvider(new ManualClock(NOW));
    const [good, encrypting, weak] = [
      await makeSigningKey(),
      await makeSigningKey(),
      await makeSigningKey("RS256"),
    ];
    const secret = { kty: "oct", k: "c2VjcmV0", alg: "HS256", kid: "oct" };
    own.keys = [
      { ...good, publicJwk: secret },
      { ...encrypting, publicJwk: { ...encrypting.publicJwk, use: "enc" } },
      { ...weak, publicJwk: { ...weak.publicJwk, n: "AQAB" } },
      good,
    ];
    const verifier = verifierOf(own);
    await expect(verifier.verify(await own.token({ key: good }))).resolves.toBeDefined();
    for (const key of [encrypting, weak]) {
      const token = await own.token({ key });
      await expect(verifier.verify(token)).rejects.toMatchObject({ fault: "invalid" });
    }
  });
});
