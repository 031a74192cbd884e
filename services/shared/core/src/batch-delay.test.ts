import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { BatchDelay } from "./batch-delay.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A delay after a batch with `concurrent` requests; without a previous batch if undefined. */
function setUp(concurrent?: number) {
  const startBatch = vi.fn<() => void>();
  const delay = new BatchDelay(startBatch);
  if (concurrent !== undefined) delay.observe(concurrent);
  return { delay, startBatch };
}

describe("a batch", () => {
  it("starts at once if it is the first, or follows a lone request", () => {
    expect(setUp().delay.postpone(1)).toBe(false);
    expect(setUp(1).delay.postpone(1)).toBe(false);
  });

  it("is not delayed when nothing is waiting", () => {
    expect(setUp(4).delay.postpone(0)).toBe(false);
  });

  it("starts once as many requests are waiting as were concurrent before", () => {
    const { delay } = setUp(4);
    const postponed = [1, 2, 3, 4, 5].map((waiting) => delay.postpone(waiting));
    expect(postponed).toEqual([true, true, true, false, false]);
  });

  it("waits for at most 16 requests", () => {
    const { delay } = setUp(100);
    expect([delay.postpone(15), delay.postpone(16)]).toEqual([true, false]);
  });

  it("starts at the latest 1 ms after its first request", () => {
    const { delay, startBatch } = setUp(4);
    delay.postpone(1);
    vi.advanceTimersByTime(0.9);
    delay.postpone(2);
    expect(startBatch).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0.1);
    expect(startBatch).toHaveBeenCalledOnce();
  });

  it("does not time out once it has started, and the next one can be delayed again", () => {
    const { delay, startBatch } = setUp(4);
    delay.postpone(1);
    delay.cancel();
    vi.advanceTimersByTime(10);
    expect(startBatch).not.toHaveBeenCalled();
    delay.postpone(1);
    vi.advanceTimersByTime(1);
    expect(startBatch).toHaveBeenCalledOnce();
  });
});
