import * as fc from "fast-check";
import { expect, test } from "vitest";

import { parseScopes } from "./scopes.ts";

test("accepts reading alone, and reading with logging in either order", () => {
  expect(parseScopes(["service.read"])).toEqual(["service.read"]);
  const both = ["service.read", "nutrition.write"];
  expect(parseScopes(both)).toEqual(both);
  expect(parseScopes(both.toReversed())).toEqual(both);
});

test("refuses any other list of scopes with the valid ones", () => {
  const word = fc.constantFrom("service.read", "nutrition.write", "admin", "", "SERVICE.READ");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (scopes) => {
      const allowed = ["service.read", "nutrition.write,service.read"];
      fc.pre(!allowed.includes(scopes.toSorted().join()));
      expect(() => parseScopes(scopes)).toThrow('"service.read" and "nutrition.write"');
    }),
  );
});
