import { expect, test } from "vitest";

import { addressVariables, withCallees } from "./topology.ts";

test("a selected service runs with everything that it calls, directly or indirectly", () => {
  expect(withCallees(["journal"]).toSorted()).toEqual(["analysis", "journal", "limits"]);
  expect(withCallees(["auth"])).toEqual(["auth"]);
  expect(withCallees(["gateway"])).toEqual(
    expect.arrayContaining(["auth", "journal", "limits", "analysis"]),
  );
});

test("a caller gets the address of each service that it calls, and no others", () => {
  const variables = addressVariables("journal", (callee) => `${callee}.internal:4700`);
  expect(variables).toEqual({
    LIMITS_ADDRESS: "limits.internal:4700",
    ANALYSIS_ADDRESS: "analysis.internal:4700",
  });
});
