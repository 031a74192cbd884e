import { expectedFactor } from "../src/domain/line-amount.ts";
import * as acts from "./acts.ts";
import { button, note, problemNote, statusText } from "./buttons.ts";
import type { DayView } from "./day-view.ts";
import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Changed, FoodItem, Logged, Written } from "./documents.ts";
import { itemEditor } from "./item-editor.ts";
import { itemView } from "./item-view.ts";
import type { Act, Journal } from "./journal.ts";

/** Settings shared by the rows of a card. */
export interface RowSetting {
  readonly journal: Journal;
  /** The day that the items belong to. */
  readonly day: DayView;
  /** Whether to show assumptions. */
  readonly withRemark: boolean;
}

interface Step<Document extends Written> {
  readonly act: Act;
  /** Text for the model. */
  readonly told: string;
  /** Text of the row until the answer arrives. */
  readonly waiting: string;
  /** Figures added to the day meanwhile. */
  readonly expected: { readonly item: FoodItem; readonly times: number };
  readonly done: (document: Document) => void;
  /** Shows the row as it was, with the error. */
  readonly failed: (problem: Child) => void;
}

/** A line of the journal that can be corrected, logged again and deleted in place. */
export class ItemRow {
  readonly element = el("li", { class: "item" });
  readonly #setting: RowSetting;
  #item: FoodItem;

  constructor(item: FoodItem, setting: RowSetting) {
    this.#item = item;
    this.#setting = setting;
    this.#show();
  }

  /** The line, with the outcome of the last action. */
  #show(remark?: Child): void {
    const item = this.#item;
    const mayAct = this.#setting.journal.mayAct && item.description !== null;
    const about = foreign(item.description ?? "");
    this.#draw(
      itemView(item, this.#setting),
      remark,
      mayAct && button("Change", () => this.#open(), { about }),
    );
  }

  #open(typed = this.#item.description ?? "", remark?: Child): void {
    const editor = itemEditor(this.#item, typed, {
      save: (line) => this.#save(line),
      logAgain: () => this.#logAgain(),
      remove: () => this.#ask(),
      close: () => {
        this.#show();
        this.element.querySelector("button")?.focus();
      },
    });
    this.#draw(itemView(this.#item, this.#setting), remark, editor);
    editor.querySelector("input")?.focus();
  }

  #ask(): void {
    const question = el("p", { class: "status" }, "Delete this line?");
    const yes = button("Delete", () => this.#remove(), { kind: "danger" });
    const no = button("Keep", () => this.#open());
    this.#draw(
      itemView(this.#item, this.#setting),
      question,
      el("div", { class: "buttons" }, yes, no),
    );
    no.focus();
  }

  #save(line: string): void {
    const item = this.#item;
    const factor = expectedFactor(item.description ?? "", line);
    void this.#perform<Changed>({
      act: acts.correct(item, line),
      told: `corrected ${acts.quoted(item)} to ${JSON.stringify(line)}`,
      waiting: `Correcting to “${line}” …`,
      expected: { item, times: factor === undefined ? 0 : factor - 1 },
      done: (changed) => {
        this.#item = changed.item ?? item;
        const undo = () => this.#save(item.description ?? "");
        this.#show(note("Corrected.", button("Undo", undo)));
      },
      failed: (problem) => this.#open(line, problem),
    });
  }

  #remove(): void {
    const item = this.#item;
    void this.#perform<Changed>({
      act: acts.remove(item),
      told: `deleted ${acts.quoted(item)}`,
      waiting: "Deleting …",
      expected: { item, times: -1 },
      done: () => this.#showGone("Deleted.", item),
      failed: (problem) => this.#open(undefined, problem),
    });
  }

  /** A deleted line can be restored, which logs it again. */
  #showGone(text: string, item: FoodItem, problem?: Child): void {
    const undo = () =>
      void this.#perform<Logged>({
        act: acts.logAgain(item, this.#setting.day.date),
        told: `put ${JSON.stringify(item.description)} back`,
        waiting: "Putting it back …",
        expected: { item, times: 1 },
        done: ({ items }) => {
          this.#item = items[0] ?? item;
          this.#show(note("It is back."));
        },
        failed: (why) => this.#showGone(text, item, why),
      });
    const line = el("del", {}, foreign(item.description ?? ""));
    this.#draw(line, problem, note(text, button("Undo", undo)));
  }

  #logAgain(): void {
    const item = this.#item;
    const { day } = this.#setting;
    void this.#perform<Logged>({
      act: acts.logAgain(item),
      told: `logged ${JSON.stringify(item.description)} again today`,
      waiting: "Logging it again …",
      expected: { item, times: 0 },
      done: ({ items: [again], date }) => {
        const text = date === day.date ? "Logged again." : `Logged again on ${date}.`;
        const undo = again && button("Undo", () => this.#takeBack(again, note(text)));
        this.#show(note(text, undo));
      },
      failed: (problem) => this.#open(undefined, problem),
    });
  }

  #takeBack(again: FoodItem, before: Child): void {
    void this.#perform<Changed>({
      act: acts.remove(again),
      told: `deleted ${acts.quoted(again)}`,
      waiting: "Taking it back …",
      expected: { item: again, times: 0 },
      done: () => this.#show(note("Taken back.")),
      failed: (problem) => this.#show([before, problem]),
    });
  }

  async #perform<Document extends Written>(step: Step<Document>): Promise<void> {
    const { act, told, waiting, expected, done, failed } = step;
    const { journal, day } = this.#setting;
    this.#draw(itemView(this.#item, this.#setting), statusText(waiting));
    this.element.setAttribute("aria-busy", "true");
    const settle = day.expect(expected.item, expected.times);
    const outcome = await journal.perform<Document>(act, told);
    this.element.removeAttribute("aria-busy");
    settle();
    if (outcome.is === "done") {
      day.update(outcome.document);
      done(outcome.document);
    } else {
      const isChanged = outcome.is === "refused" && outcome.currentItem !== undefined;
      if (isChanged) this.#item = outcome.currentItem!;
      const again = button("Try again", () => void this.#perform(step));
      failed(problemNote(outcome.text, ...(outcome.is === "unanswered" ? [again] : [])));
    }
    // The focused element was removed.
    if (!this.element.contains(document.activeElement)) {
      this.element.querySelector("button")?.focus();
    }
  }

  #draw(...children: Child[]): void {
    this.element.replaceChildren(el("div", {}, ...children));
  }
}
