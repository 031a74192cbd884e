import { newId } from "@nutrition/core/ids";
import { describe, expect, it } from "vitest";

import { REFUSALS_AT_ONCE_MAX, REFUSAL_PAUSE_MS } from "../src/access/refusal-pace.ts";
import { FULL_KEY, READ_KEY, allowed, refuse } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { PausingClock } from "./pausing-clock.ts";

const NOW = "2026-11-21T12:00:00Z";
const SUMMARY = "/api/v1/nutrition/summary";

describe("refusals of a client that ignores refusals", () => {
  const MALFORMED = "abc";

  /** Uses up the refusals per second that are sent without delay. */
  async function useUpRefusals(fixture: GatewayFixture, key: string, status: number) {
    for (let count = 0; count < REFUSALS_AT_ONCE_MAX; count += 1) {
      expect(await fixture.get(SUMMARY, bearer(key))).toMatchObject({ status });
    }
  }

  it.each([
    ["of an account over its limit", FULL_KEY, 429],
    ["of a network's bad credentials", MALFORMED, 401],
  ])("%s are sent after a pause", async (_, key, status) => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    refuse(fixture.fakes);
    await useUpRefusals(fixture, key, status);
    const before = clock.monotonicMs();
    const refused = fixture.get(SUMMARY, bearer(key));
    await expect.poll(() => clock.pauses).toBe(1);
    await clock.endPauses();
    expect(await refused).toMatchObject({ status });
    expect(clock.monotonicMs() - before).toBe(REFUSAL_PAUSE_MS);
  });

  it("slow down no other account, and no valid credential of the network", async () => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    fixture.fakes.keys.set(READ_KEY, allowed({ accountId: newId() }));
    await useUpRefusals(fixture, MALFORMED, 401);
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 200 });
    refuse(fixture.fakes);
    await useUpRefusals(fixture, FULL_KEY, 429);
    expect(await fixture.get(SUMMARY, bearer(READ_KEY))).toMatchObject({ status: 429 });
    expect(clock.pauses).toBe(0);
  });

  it("slow down no client that has yet to authenticate", async () => {
    const clock = new PausingClock(NOW);
    await using fixture = await startFixture({ clock });
    await useUpRefusals(fixture, MALFORMED, 401);
    expect(await fixture.get(SUMMARY, {})).toMatchObject({ status: 401 });
    expect(clock.pauses).toBe(0);
  });
});
