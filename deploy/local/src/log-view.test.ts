import { expect, test } from "vitest";

import { LogView } from "./log-view.ts";

const record = (facts: object) => `${JSON.stringify({ level: 30, msg: "m", ...facts })}\n`;
const REQUEST = record({ service: "gateway", module: "requests", route: "/mcp", status: 200 });

function shownOf(...chunks: string[]): string[] {
  const view = new LogView({ format: "json", hasColours: false }, new Set());
  return chunks.flatMap((chunk) => view.take(Buffer.from(chunk)));
}

test("shows each request once, as logged by the gateway", () => {
  const visit = record({ service: "web", module: "requests", route: "/journal", status: 200 });
  expect(shownOf(visit, REQUEST)).toEqual([REQUEST.trimEnd()]);
});

test("shows warnings, errors and explicitly requested levels only", () => {
  const lines = [20, 30, 40, 50].map((level) => record({ level, service: "journal" }));
  expect(shownOf(...lines, "Error: no record\n")).toEqual(
    [lines[0], lines[2], lines[3]].map((line) => line?.trimEnd()),
  );
});

test("shows a line that arrives in pieces as a whole", () => {
  const half = REQUEST.length / 2;
  expect(shownOf(REQUEST.slice(0, half), REQUEST.slice(half) + REQUEST)).toHaveLength(2);
});

test("shows a request as one line of text", () => {
  const view = new LogView({ format: "text", hasColours: false }, new Set());
  expect(view.take(Buffer.from(REQUEST))).toEqual([
    expect.stringContaining("gateway  info  /mcp 200"),
  ]);
});

test("shows a condition of the database once for all services, and once that it is over", () => {
  const conditions = new Set();
  const views = [1, 2].map(() => new LogView({ format: "json", hasColours: false }, conditions));
  const seen = (facts: object) =>
    views.map(
      (view) => view.take(Buffer.from(record({ condition: "disk_full", ...facts }))).length,
    );
  expect(seen({ level: 50 })).toEqual([1, 0]);
  expect(seen({ isOver: true })).toEqual([1, 0]);
  expect(seen({ level: 50 })).toEqual([1, 0]);
});
