import { describe, expect, it } from "vitest";

import { keptBytes } from "./testing-heap.ts";
import { TransientMap } from "./transient-map.ts";

const MEMBER_BYTES = 5_000;
const LIFETIMES = 5;

describe("a transient map", () => {
  it("returns each member once, under its own key", () => {
    const map = new TransientMap<string, number>();
    map.add("a", 1);
    map.add("b", 2);
    expect([map.size, map.get("a"), map.get("c")]).toEqual([2, 1, undefined]);
    expect([map.take("a"), map.take("a")]).toEqual([1, undefined]);
    expect([map.has("a"), [...map.keys()]]).toEqual([false, ["b"]]);
  });

  it("lets go of members that were taken before the next full collection", async () => {
    const map = new TransientMap<number, string>();
    let next = 0;
    const kept = await keptBytes(async () => {
      const key = next++;
      map.add(key, Buffer.alloc(MEMBER_BYTES, "x").toString());
      // Some are still there when V8 replaces the table.
      for (let turn = 0; turn < key % LIFETIMES; turn += 1) await Promise.resolve();
      map.take(key);
    });
    expect(kept).toBeLessThan(MEMBER_BYTES / 2);
  });
});
