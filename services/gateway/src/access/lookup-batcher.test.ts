import { describe, expect, it } from "vitest";

import { PausingClock } from "../../test/pausing-clock.ts";
import { LOOKUP_PAUSE_MS, LookupBatcher } from "./lookup-batcher.ts";

const [FLOODING, QUIET] = ["192.0.2.1", "198.51.100.1"];

function fixture() {
  const clock = new PausingClock("2026-11-21T12:00:00Z");
  return { clock, networks: new LookupBatcher(clock) };
}

describe("a network that has just sent a refused credential", () => {
  it("has its next credentials looked up in batches, one per pause", async () => {
    const { clock, networks } = fixture();
    networks.add(FLOODING);
    const first = networks.pause(FLOODING);
    expect(first).toBeDefined();
    expect(networks.pause(FLOODING)).toBe(first);
    await clock.endPauses();
    await first;
    expect(clock.monotonicMs()).toBe(LOOKUP_PAUSE_MS);
    expect(networks.pause(FLOODING)).not.toBe(first);
  });

  it("never slows another network", () => {
    const { networks } = fixture();
    networks.add(FLOODING);
    expect(networks.pause(QUIET)).toBeUndefined();
  });

  it("is no longer slowed a second after its last refused credential", () => {
    const { clock, networks } = fixture();
    networks.add(FLOODING);
    clock.advance(999);
    networks.add(FLOODING);
    clock.advance(999);
    expect(networks.pause(FLOODING)).toBeDefined();
    clock.advance(1);
    expect(networks.pause(FLOODING)).toBeUndefined();
  });
});
