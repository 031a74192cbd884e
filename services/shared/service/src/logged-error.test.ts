import { expect, test } from "vitest";

import { loggedError } from "./logged-error.ts";

test("logs a database error without the row", () => {
  const error = Object.assign(new Error('violates check constraint "items_calories"'), {
    code: "23514",
    constraint: "items_calories",
    detail: "Failing row contains (17, ada@example.com, 2 eggs).",
    where: "COPY items, line 1: ada@example.com",
  });
  const text = JSON.stringify(loggedError(error));
  expect(text).toContain('"code":"23514"');
  expect(text).toContain("items_calories");
  expect(text).toContain("logged-error.test.ts");
  expect(text).not.toContain("ada@example.com");
});

test("logs a thrown value that is not an error as it is", () => {
  expect([null, "text"].map(loggedError)).toEqual([null, "text"]);
});

test("logs the cause, too", () => {
  const error = new Error("outer", { cause: new Error("inner") });
  expect(loggedError(error)).toMatchObject({ message: "outer: inner" });
});
