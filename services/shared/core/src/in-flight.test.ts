import { expect, test } from "vitest";

import { InFlight } from "./in-flight.ts";

test("never hands out more slots of a name than its limit", () => {
  const open = new InFlight(2);
  expect([open.enter("ada"), open.enter("ada")]).not.toContain(undefined);
  expect(open.enter("ada")).toBeUndefined();
});

test("a released slot can be taken again", () => {
  const open = new InFlight(1);
  for (let round = 0; round < 3; round += 1) {
    const leave = open.enter("ada");
    expect(open.enter("ada")).toBeUndefined();
    leave?.();
  }
});

test("names have separate slots", () => {
  const open = new InFlight(1);
  const leave = open.enter("ada");
  expect(open.enter("bob")).toBeDefined();
  leave?.();
  expect(open.enter("bob")).toBeUndefined();
  expect(open.enter("ada")).toBeDefined();
});
