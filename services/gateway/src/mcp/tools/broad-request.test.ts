import { expect, it } from "vitest";

import { refuseBulkRequest } from "./broad-request.ts";

const SITE = { baseUrl: "http://localhost:3000", support: "help@example.com" };

it.each([
  "everything",
  "All",
  "all of it",
  "all my food items",
  "the whole day",
  "clear history",
  "delete all data",
  "my account",
  "alles",
  "todo",
  "*",
])("refuses %j as a bulk request and names the support contact", (item_query) => {
  expect(() => refuseBulkRequest({ item_query }, SITE)).toThrow(
    /no tool clears.*Nothing was changed\..*help@example\.com/,
  );
});

it.each(["everything bagel", "whole milk", "all-bran", "clear soup", "day-old bread", "egg", "my"])(
  "%j is not a bulk request",
  (query) => {
    expect(() => refuseBulkRequest({ item_query: query }, SITE)).not.toThrow();
    expect(() => refuseBulkRequest({ item_queries: ["egg", query] }, SITE)).not.toThrow();
  },
);

it("detects it among the queries of a merge", () => {
  const call = () => refuseBulkRequest({ item_queries: ["egg", "everything"] }, SITE);
  const details = { field: "item_queries", given: "everything" };
  expect(call).toThrow(expect.objectContaining({ details }));
});
