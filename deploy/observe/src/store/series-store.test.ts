import { expect, test } from "vitest";

import { SeriesStore } from "./series-store.ts";

const NAME = "http.server.request.duration";

function series(route: string, value: number) {
  return { service: "gateway", name: NAME, unit: "s", attributes: { "http.route": route }, value };
}

test("keeps the latest value of a series", () => {
  const store = new SeriesStore();
  store.addSeries([series("/docs", 1), series("/", 5), series("/docs", 2)]);
  expect(store.of(NAME).map(({ value }) => value)).toEqual([2, 5]);
  expect(store.of("another")).toEqual([]);
});

test("a flood of series adds none beyond the bound, and known ones are still updated", () => {
  const store = new SeriesStore({ seriesMax: 10, seriesBytesMax: 1_000 });
  for (let route = 0; route < 100; route += 1) store.addSeries([series(`/${route}`, 1)]);
  store.addSeries([series("/0", 7)]);
  expect(store.size).toBe(10);
  expect(store.of(NAME)[0]?.value).toBe(7);
});

test("drops a series that is too large", () => {
  const store = new SeriesStore({ seriesMax: 10, seriesBytesMax: 1_000 });
  store.addSeries([series("x".repeat(1_000), 1)]);
  expect(store.size).toBe(0);
});
