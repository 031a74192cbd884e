import { describe, expect, it } from "vitest";

import { refusalOf } from "./refusal.ts";

const answer = (document: unknown) => ({ content: [{ text: JSON.stringify(document) }] });

describe("explains a refused call to a person", () => {
  it.each([
    [
      {
        error: "rate_limit_exceeded",
        limit: { name: "writes-day", max: 40, window_seconds: 86_400, retry_after_seconds: 7_300 },
      },
      "The limit of 40 changes in 1 day is reached. Nothing was changed. Try again in 3 hours.",
    ],
    [
      { error: "rate_limit_exceeded", retry_after_seconds: 1 },
      "Too many calls are open. Nothing was changed. Try again in 1 second.",
    ],
    [
      { error: "service_unavailable" },
      "The journal is not available. Nothing was changed. Try again later.",
    ],
    [
      { error: "item_not_found", message: "for the model" },
      "This line is no longer in the journal.",
    ],
    [{ error: "of a later version", message: "What it says." }, "What it says."],
    [{ error: "of a later version" }, "This did not work. Nothing was changed."],
    [null, "This did not work. Nothing was changed."],
  ])("%j", (document, text) => expect(refusalOf(answer(document)).text).toBe(text));

  it("with the item as it is now", () => {
    const current_item = { id: "i" };
    const refusal = refusalOf(answer({ error: "item_changed", current_item }));
    expect(refusal).toMatchObject({ code: "item_changed", currentItem: current_item });
  });

  it("with the host's own text if it is not a document, without deceptive characters", () => {
    expect(refusalOf({ content: [{ text: "Denied\u202E by\nthe host" }] }).text).toBe(
      "Denied by the host",
    );
    expect(refusalOf({}).text).toBe("This did not work. Nothing was changed.");
  });
});
