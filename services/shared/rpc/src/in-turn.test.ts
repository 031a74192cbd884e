import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { FairQueue } from "@nutrition/core/fair-queue";
import { describe, expect, it } from "vitest";

import type { CallContext } from "./context.ts";
import { inTurn } from "./in-turn.ts";

function contextOf(accountId: string | undefined, signal = new AbortController().signal) {
  const user = accountId && { accountId, credentialKind: "session", credentialId: "s", scopes: [] };
  return { user, signal } as unknown as CallContext;
}

/** A handler that ends on command, behind one slot. */
function setUp() {
  const begun: string[] = [];
  const ending: (() => void)[] = [];
  const list = async (_request: object, { user }: CallContext) => {
    begun.push(user?.accountId ?? "nobody");
    await new Promise<void>((resolve) => ending.push(resolve));
    return {};
  };
  const queue = new FairQueue({ slots: 1, slotsPerKey: 1, waitingMax: 9, waitingPerKeyMax: 9 });
  const handlers = inTurn({ list }, queue);
  const end = async () => {
    ending.shift()?.();
    await turnOfTheLoop();
  };
  return { handlers, begun, end };
}

describe("handlers in turn", () => {
  it("take accounts in turn, and let calls without a user through", async () => {
    const { handlers, begun, end } = setUp();
    for (const account of ["big", "big", "big", "small", undefined]) {
      void handlers.list({}, contextOf(account));
    }
    expect(begun).toEqual(["big", "nobody"]);
    await end();
    await end();
    expect(begun).toEqual(["big", "nobody", "small"]);
  });

  it("drop a call that is cancelled before its turn, and hold the slot of one that has begun", async () => {
    const { handlers, begun, end } = setUp();
    const caller = new AbortController();
    const [first, second] = [
      handlers.list({}, contextOf("a", caller.signal)),
      handlers.list({}, contextOf("b", caller.signal)),
    ];
    const third = handlers.list({}, contextOf("c"));
    caller.abort();
    await expect(first).rejects.toMatchObject({ kind: "cancelled" });
    await expect(second).rejects.toMatchObject({ kind: "cancelled" });
    expect(begun).toEqual(["a"]);
    await end();
    await end();
    await third;
    expect(begun).toEqual(["a", "c"]);
  });
});
