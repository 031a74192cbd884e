import { runCard } from "./card.ts";
import { DayView } from "./day-view.ts";
import { el } from "./dom.ts";
import type { Summary } from "./documents.ts";
import { longDay } from "./formats.ts";
import { itemGroups } from "./items.ts";

runCard<Summary>(({ document: summary, journal }) => {
  const day = new DayView(summary);
  const items = summary.entries.flatMap((entry) => entry.items);
  return [
    el("h1", {}, longDay(summary.date)),
    day.element,
    items.length === 0
      ? el("p", { class: "soft" }, "Nothing is logged on this day.")
      : itemGroups(items, { journal, day, withRemark: false }),
    journal.hint(),
  ];
});
