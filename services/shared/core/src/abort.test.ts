import { describe, expect, it } from "vitest";

import { unlessAborted, whenAllAbort } from "./abort.ts";
import { Failure } from "./failure.ts";

describe("cancellable work", () => {
  it("settles like the promise when nobody cancels", async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(unlessAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    await expect(unlessAborted(Promise.resolve(2), undefined)).resolves.toBe(2);
  });

  it("rejects as cancelled at once, with the reason when there is one", async () => {
    const never = new Promise<never>(() => {});
    const caller = new AbortController();
    const waiting = unlessAborted(never, caller.signal);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    const late = new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", "The call took too long.");
    await expect(unlessAborted(never, AbortSignal.abort(late))).rejects.toBe(late);
  });
});

describe("work that several callers wait for", () => {
  it("is cancelled once the last of them cancels", () => {
    const callers = [new AbortController(), new AbortController()];
    using all = whenAllAbort(callers.map(({ signal }) => signal));
    callers[0]?.abort();
    expect(all.signal.aborted).toBe(false);
    callers[1]?.abort();
    expect(all.signal.aborted).toBe(true);
  });

  it("is never cancelled when one of them has no signal", () => {
    const caller = new AbortController();
    using all = whenAllAbort([caller.signal, undefined]);
    caller.abort();
    expect(all.signal.aborted).toBe(false);
  });
});
