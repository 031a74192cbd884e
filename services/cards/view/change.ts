import * as acts from "./acts.ts";
import { button, statusText } from "./buttons.ts";
import { runCard } from "./card.ts";
import { DayView } from "./day-view.ts";
import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Changed, Logged } from "./documents.ts";
import { longDay } from "./formats.ts";
import { itemList } from "./items.ts";
import type { RowSetting } from "./item-row.ts";
import type { Act } from "./journal.ts";

runCard<Changed>(({ document: changed, journal }) => {
  const day = new DayView(changed);
  const setting = { journal, day, withRemark: true };
  const { date, duplicate, item, merged_lines: merged, deleted_line: deleted } = changed;
  const before = linesBefore(changed);
  const done = deleted !== undefined ? "Deleted from" : merged ? "Merged on" : "Corrected on";
  return [
    el("h1", {}, `${done} ${longDay(date)}`),
    duplicate && el("p", { class: "soft" }, "An earlier call did this. Nothing was changed now."),
    before.length > 0 && [el("h2", {}, "Before"), goneLines(before)],
    item && [el("h2", {}, before.length > 0 ? "After" : "As it is now"), itemList([item], setting)],
    !duplicate && journal.mayAct && undoPart(changed, before, setting),
    el("h2", {}, "The day"),
    day.element,
    journal.hint(),
  ];
});

/** Lines that no longer exist; empty for an edit that kept its line. */
function linesBefore({
  item,
  previous_line,
  merged_lines,
  deleted_line,
}: Changed): readonly string[] {
  if (merged_lines) return merged_lines;
  const line = deleted_line ?? previous_line;
  return line === undefined || line === item?.description ? [] : [line];
}

function goneLines(lines: readonly string[]): HTMLElement {
  const shown = lines.map((line) => el("li", { class: "item" }, el("del", {}, foreign(line))));
  return el("ul", { class: "items" }, shown);
}

/** Logs before it deletes, so that nothing is lost if the rest fails. */
function stepsBack({ item, date, previous_line }: Changed, lines: readonly string[]): Step[] {
  const told = `put ${JSON.stringify(lines)} back`;
  if (item && previous_line !== undefined) {
    return [{ act: acts.correct(item, previous_line), told }];
  }
  return [
    { act: acts.logLine(lines.join("\n"), date), told },
    ...(item ? [{ act: acts.remove(item), told: `deleted ${acts.quoted(item)}` }] : []),
  ];
}

interface Step {
  readonly act: Act;
  readonly told: string;
}

/** Restores the lines that an edit, a merge or a deletion replaced. */
function undoPart(changed: Changed, lines: readonly string[], setting: RowSetting): Child {
  if (lines.length === 0) return undefined;
  const steps = stepsBack(changed, lines);
  const place = el("div", { class: "undo" });
  const offer = (left: readonly Step[], problem?: Child) =>
    place.replaceChildren(
      el(
        "div",
        {},
        problem,
        button("Undo", () => void undo(left)),
      ),
    );
  const undo = async (left: readonly Step[]) => {
    place.replaceChildren(statusText("Putting it back …"));
    for (const [index, { act, told }] of left.entries()) {
      const outcome = await setting.journal.perform<Logged>(act, told);
      if (outcome.is !== "done") return offer(left.slice(index), statusText(outcome.text, true));
      setting.day.update(outcome.document);
    }
    place.replaceChildren(statusText("It is back, with a new estimate."));
  };
  offer(steps);
  return place;
}
