import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { changeSentence, deleteSentence } from "../../domain/assistant-sentences.ts";
import { foreign } from "../foreign.ts";
import type { DayLine } from "./day-line.ts";

/** Buttons that copy the requests; a script unhides them. */
export function changeButtons(line: DayLine): Markup {
  const button = (verb: string, kind: "change" | "delete") =>
    markup`<button class="link" data-copy="${idOf(line, kind)}" data-then="Copied. Paste it into the chat with your assistant."
      hidden>${verb}<span class="unseen"> line ${line.line}, ${foreign(line.item.description ?? "unnamed")}</span></button>`;
  return markup`<span class="item-change">${button("Change", "change")} ${button("Delete", "delete")}</span>`;
}

/** The requests as text, for browsers without scripts and for reading before copying. */
export function sentences(line: DayLine): Markup {
  const reference = { ...line, description: line.item.description };
  const sentence = (kind: "change" | "delete", text: string) =>
    markup`<li><code class="sentence" id="${idOf(line, kind)}">${text}</code></li>`;
  return markup`<div class="item-sentences">
    <p>To correct this line, tell your assistant:</p>
    <ul class="plain">
      ${sentence("change", changeSentence(reference))}
      ${sentence("delete", deleteSentence(reference))}
    </ul>
  </div>`;
}

function idOf({ line }: DayLine, kind: "change" | "delete"): string {
  return `${kind}-${line}`;
}
