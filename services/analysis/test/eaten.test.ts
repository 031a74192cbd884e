import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import { readRows } from "./score.ts";

const { estimate } = await openTable();

describe("what tells whether food was eaten", () => {
  const shareRefused = (label: string) => {
    const lines = readRows("eaten").filter(([, told]) => told === label);
    return (
      lines.filter(([line = ""]) => estimate(line).kind === "cannot_tell").length / lines.length
    );
  };

  it("refuses what others ate, what is only planned, bought, grown or spoken of", () => {
    expect(shareRefused("not")).toBeGreaterThanOrEqual(0.92);
  });

  it("answers nearly all that the person ate, whatever the story around it", () => {
    expect(shareRefused("eaten")).toBeLessThanOrEqual(0.07);
  });

  it("says what to write instead", () => {
    expect(estimate("sold 32 flapjacks at the charity stall")).toMatchObject({
      message:
        "This does not say that you ate or drank it: write the food and its amount, such as “2 boiled eggs”.",
    });
  });

  it("is not asked of an item that is corrected", () => {
    const corrected = estimate("sold 32 flapjacks at the charity stall", { correction: "I ate 2" });
    expect(corrected.kind).toBe("estimate");
  });

  it("is not asked of a food with stated calories", () => {
    const line = "sold 32 flapjacks at the charity stall, 200 kcal";
    expect(estimate(line)).toMatchObject({ kind: "estimate", provenance: "stated" });
  });
});
