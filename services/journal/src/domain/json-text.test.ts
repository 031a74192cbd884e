import { expect, test } from "vitest";

import { jsonObject, withDuplicate } from "./json-text.ts";

test("members keep their order and digits, and undefined ones are omitted", () => {
  expect(jsonObject({ b: "1.10", gone: undefined, 'a"': "null" })).toBe('{"b":1.10,"a\\"":null}');
});

test("puts duplicate before the stored members", () => {
  expect(withDuplicate('{"date":"2026-11-21"}', true)).toBe(
    '{"duplicate":true,"date":"2026-11-21"}',
  );
});
