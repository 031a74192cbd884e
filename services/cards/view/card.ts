import { el } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { ToolResult } from "./host.ts";
import { Host } from "./host.ts";
import { Journal } from "./journal.ts";
import { useUnits } from "./formats.ts";
import { adapt, reportHeight } from "./host-context.ts";
import { refusalOf } from "../src/domain/refusal.ts";

/** Data that a card displays. */
export interface Drawing<Document> {
  readonly document: Document;
  /** The arguments of the tool call. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly journal: Journal;
}

const NOTHING_TO_SHOW = "There is nothing to show here. The answer is in the conversation.";

/** Runs a card: waits for the tool's result and shows the output of `draw`. */
export function runCard<Document>(draw: (drawing: Drawing<Document>) => Child): void {
  const main = document.querySelector("main")!;
  const host = new Host();
  const journal = new Journal(host, document.documentElement.dataset);
  let args: Readonly<Record<string, unknown>> = {};
  let shown: ToolResult | undefined;
  const show = (...children: Child[]) => {
    main.replaceChildren(el("div", { class: "card" }, ...children));
    main.removeAttribute("aria-busy");
  };
  const showResult = (result: ToolResult) => {
    shown = result;
    const { isError, structuredContent, _meta } = result;
    useUnits(_meta);
    if (isError) show(notice(refusalOf(result).text));
    else if (!isObject(structuredContent)) show(notice(NOTHING_TO_SHOW));
    else show(draw({ document: structuredContent as Document, args, journal }));
  };
  host
    .connect({
      onContext: adapt,
      onInput: (given) => (args = given),
      onResult: (result) => showOr(showResult, result, () => show(notice(NOTHING_TO_SHOW))),
      onCancelled: () => shown === undefined && show(notice("The call was cancelled.")),
    })
    .then(() => reportHeight(host))
    // In a host without MCP Apps, the page stays as it was sent.
    .catch(() => undefined);
}

/** An unknown document, such as one of a newer version, must not break the page. */
function showOr(
  show: (result: ToolResult) => void,
  result: ToolResult,
  otherwise: () => void,
): void {
  try {
    show(result);
  } catch {
    otherwise();
  }
}

function notice(text: string): HTMLElement {
  return el("p", { class: "soft" }, text);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
