import { expect, test } from "vitest";

import { SingleFlight } from "./single-flight.ts";

test("runs the same work once at a time, and again afterwards", async () => {
  const flights = new SingleFlight<number>();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await gate.promise;
    return runs;
  };
  const both = Promise.all([flights.run("a", work), flights.run("a", work)]);
  const other = flights.run("b", async () => 7);
  gate.resolve();
  expect(await both).toEqual([1, 1]);
  expect(await other).toBe(7);
  expect(await flights.run("a", work)).toBe(2);
});

test("all callers get a failure, and it is not cached", async () => {
  const flights = new SingleFlight<number>();
  const fail = () => flights.run("a", async () => Promise.reject(new Error("no")));
  await expect(fail()).rejects.toThrow("no");
  expect(await flights.run("a", async () => 1)).toBe(1);
});
