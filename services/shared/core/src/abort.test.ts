import { describe, expect, it } from "vitest";

import { unlessAborted, whenAllAbort } from "./abort.ts";
import { Failure } from "./failure.ts";

describe("work that may be given up", () => {
  it("settles as it does when nobody gives up", async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(unlessAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    await expect(unlessAborted(Promise.resolve(2), undefined)).resolves.toBe(2);
  });

  it("is told cancelled at once when its caller gives up, and why when that is known", async () => {
    const never = new Promise<never>(() => {});
    const caller = new AbortController();
    const waiting = unlessAborted(never, caller.signal);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    const late = new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", "It took too long.");
    await expect(unlessAborted(never, AbortSignal.abort(late))).rejects.toBe(late);
  });
});

describe("what several wait for", () => {
  it("is given up by the last of them", () => {
    const callers = [new AbortController(), new AbortController()];
    using all = whenAllAbort(callers.map(({ signal }) => signal));
    callers[0]?.abort();
    expect(all.signal.aborted).toBe(false);
    callers[1]?.abort();
    expect(all.signal.aborted).toBe(true);
  });

  it("is never given up while one of them cannot", () => {
    const caller = new AbortController();
    using all = whenAllAbort([caller.signal, undefined]);
    caller.abort();
    expect(all.signal.aborted).toBe(false);
  });
});
