import { expect, test } from "vitest";

import { InFlight } from "./in-flight.ts";

test("no more slots of a name are taken than there are", () => {
  const open = new InFlight(2);
  expect([open.enter("ada"), open.enter("ada")]).not.toContain(undefined);
  expect(open.enter("ada")).toBeUndefined();
});

test("a slot that is given back can be taken again", () => {
  const open = new InFlight(1);
  for (let round = 0; round < 3; round += 1) {
    const leave = open.enter("ada");
    expect(open.enter("ada")).toBeUndefined();
    leave?.();
  }
});

test("names do not take each other's slots", () => {
  const open = new InFlight(1);
  const leave = open.enter("ada");
  expect(open.enter("bob")).toBeDefined();
  leave?.();
  expect(open.enter("bob")).toBeUndefined();
  expect(open.enter("ada")).toBeDefined();
});
