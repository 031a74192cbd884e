import * as acts from "./acts.ts";
import { button, statusText } from "./buttons.ts";
import { runCard } from "./card.ts";
import { DayView } from "./day-view.ts";
import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Changed, FoodItem, Logged } from "./documents.ts";
import { longDay } from "./formats.ts";
import { itemList } from "./items.ts";
import type { RowSetting } from "./item-row.ts";

runCard<Logged>(({ document: logged, journal }) => {
  const day = new DayView(logged);
  const setting = { journal, day, withRemark: true };
  const { date, date_interpreted_as: said, duplicate, items } = logged;
  const heading = `${duplicate ? "Already logged on" : "Logged on"} ${longDay(date)}`;
  return [
    el("h1", {}, heading, said !== undefined && [" (", foreign(said), ")"]),
    duplicate &&
      el("p", { class: "soft" }, "An earlier call logged these lines. Nothing was added now."),
    addedItems(items, setting, !duplicate && journal.mayAct),
    el("h2", {}, "The day"),
    day.element,
    journal.hint(),
  ];
});

/** The logged lines, which can be undone together. */
function addedItems(items: readonly FoodItem[], setting: RowSetting, canUndo: boolean): Child {
  const place = el("div", {});
  const show = (note?: Child) =>
    place.replaceChildren(
      el(
        "div",
        {},
        itemList(items, setting),
        note,
        canUndo && button("Undo all of it", () => void undo()),
      ),
    );
  const undo = async () => {
    place.replaceChildren(statusText("Taking it back …"));
    const problem = await takeBack(items, setting);
    if (problem !== undefined) return show(problem);
    const gone = items.map((item) => el("li", {}, el("del", {}, foreign(item.description ?? ""))));
    place.replaceChildren(el("ul", {}, gone), statusText("Taken back. Nothing of it is logged."));
  };
  show();
  return place;
}

/** Deletes the items one by one; returns the error that stopped it. */
async function takeBack(
  items: readonly FoodItem[],
  { journal, day }: RowSetting,
): Promise<Child | undefined> {
  for (const item of items) {
    const outcome = await journal.perform<Changed>(
      acts.remove(item),
      `deleted ${acts.quoted(item)}`,
    );
    if (outcome.is === "done") day.update(outcome.document);
    else if (outcome.is === "unanswered" || outcome.code !== "item_not_found") {
      return statusText(outcome.text, true);
    }
  }
  return undefined;
}
