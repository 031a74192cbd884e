import fc from "fast-check";
import { expect, test } from "vitest";

import { compactJson } from "./compact-json.ts";

test("white space goes between tokens only, whatever the text holds", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(" ", "\t", 2, "\n "), (value, indent) => {
      const spaced = Buffer.from(JSON.stringify(value, undefined, indent));
      expect(Buffer.from(compactJson(spaced)).toString()).toBe(JSON.stringify(value));
    }),
  );
  const odd = String.raw`{"a \" : b" : [ 1.10 , "\\" , "x  y" ]}`;
  expect(Buffer.from(compactJson(Buffer.from(odd))).toString()).toBe(
    String.raw`{"a \" : b":[1.10,"\\","x  y"]}`,
  );
});
