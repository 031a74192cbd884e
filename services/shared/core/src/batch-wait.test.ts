import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { BatchWait } from "./batch-wait.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** After a batch with so many concurrent requests. */
function setUp(concurrent?: number) {
  const onEnd = vi.fn<() => void>();
  const wait = new BatchWait(onEnd);
  if (concurrent !== undefined) wait.expect(concurrent);
  return { wait, onEnd };
}

describe("the wait of a batch", () => {
  it("does not begin for the first request, nor after a lone one", () => {
    expect(setUp().wait.begin(1)).toBe(false);
    expect(setUp(1).wait.begin(1)).toBe(false);
  });

  it("does not begin without requests", () => {
    expect(setUp(4).wait.begin(0)).toBe(false);
  });

  it("lasts until as many requests wait as were concurrent before", () => {
    const { wait } = setUp(4);
    expect([1, 2, 3, 4, 5].map((waiting) => wait.begin(waiting))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });

  it("expects 16 requests at most", () => {
    const { wait } = setUp(100);
    expect([wait.begin(15), wait.begin(16)]).toEqual([true, false]);
  });

  it("lasts 1 ms at most, from its first request on", () => {
    const { wait, onEnd } = setUp(4);
    wait.begin(1);
    vi.advanceTimersByTime(0.9);
    wait.begin(2);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0.1);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it("ends without a call when the batch starts, and can begin again", () => {
    const { wait, onEnd } = setUp(4);
    wait.begin(1);
    wait.end();
    vi.advanceTimersByTime(10);
    expect(onEnd).not.toHaveBeenCalled();
    wait.begin(1);
    vi.advanceTimersByTime(1);
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
