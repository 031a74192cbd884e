import { expect, test } from "vitest";

import { contentCodingFor } from "./accept-encoding.ts";

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.8, *;q=0.1", "gzip"],
  ["*", "br"],
  ["GZIP", "gzip"],
  ["gzip;q=0", undefined],
  ["gzip; q=0.000, *", "br"],
  ["*;q=0", undefined],
  ["identity", undefined],
  ["", undefined],
  [undefined, undefined],
])("for Accept-Encoding %j, chooses %j", (header, coding) => {
  expect(contentCodingFor(header)).toBe(coding);
});
