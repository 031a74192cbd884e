import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Place } from "./places.ts";
import { Places } from "./places.ts";

/** Places whose holders are named; `out` has those that had to go, in order. */
function observed(max: number, maxPerKey?: number) {
  const places = new Places({ max, maxPerKey });
  const out: string[] = [];
  const enter = (key: string, name = key): Place => places.enter(key, () => out.push(name));
  return { places, out, enter };
}

describe("places", () => {
  it("never refuse a newcomer: the key with the most places makes room", () => {
    const { places, out, enter } = observed(4);
    for (const name of ["big 1", "big 2", "big 3"]) enter("big", name);
    enter("small");
    enter("new");
    enter("newer");
    expect(out).toEqual(["big 1", "big 2"]);
    expect(places.taken).toBe(4);
  });

  it("have a share for each key, within which it makes room for itself", () => {
    const { out, enter } = observed(10, 2);
    for (const name of ["big 1", "big 2", "big 3"]) enter("big", name);
    enter("small");
    expect(out).toEqual(["big 1"]);
  });

  it("are lost by the longest idle holder first", () => {
    const { out, enter } = observed(10, 2);
    const first = enter("a", "first");
    enter("a", "second");
    first.touch();
    enter("a", "third");
    enter("a", "fourth");
    expect(out).toEqual(["second", "first"]);
  });

  it("that were left or lost are free once, whatever their holder does afterwards", () => {
    const { places, out, enter } = observed(2, 1);
    const first = enter("a", "first");
    const second = enter("a", "second");
    for (const place of [first, second, second]) {
      place.leave();
      place.touch();
    }
    expect(places.taken).toBe(0);
    enter("a", "third");
    expect(out).toEqual(["first"]);
  });

  it("are always as a list of holders says, searched from the start", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "c", "d"),
      action: fc.constantFrom("enter", "enter", "touch", "leave"),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.array(step),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        (steps, max, perKey) => {
          const { places, out, enter } = observed(max, perKey);
          const held: { key: string; name: string; place: Place }[] = [];
          const countOf = (key: string) => held.filter((one) => one.key === key).length;
          for (const [index, { key, action, pick }] of steps.entries()) {
            const at = pick % Math.max(1, held.length);
            if (action === "enter") {
              held.push({ key, name: String(index), place: enter(key, String(index)) });
              const most = Math.max(...held.map((one) => countOf(one.key)));
              const isOver = countOf(key) > perKey || held.length > max;
              const mayGo = held.filter(
                (one, own) =>
                  held.findIndex((other) => other.key === one.key) === own &&
                  (countOf(key) > perKey ? one.key === key : countOf(one.key) === most),
              );
              expect(out.length).toBe(isOver ? 1 : 0);
              for (const name of out.splice(0)) {
                expect(mayGo.map((one) => one.name)).toContain(name);
                held.splice(
                  held.findIndex((one) => one.name === name),
                  1,
                );
              }
            } else if (action === "leave") {
              held.splice(at, 1)[0]?.place.leave();
            } else if (held[at]) {
              held[at].place.touch();
              held.push(...held.splice(at, 1));
            }
            expect(places.taken).toBe(held.length);
          }
        },
      ),
    );
  });
});
