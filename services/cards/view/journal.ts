import { refusalOf } from "../src/domain/refusal.ts";
import type { Refusal } from "../src/domain/refusal.ts";
import { el } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { FoodItem, Written } from "./documents.ts";
import type { Host } from "./host.ts";

const UNANSWERED = "The journal did not answer. It may have been done all the same.";
/** Number of actions in the model's context. */
const TOLD_MAX = 20;

/** A tool call that a person makes from a card. Repeating it has no second effect. */
export interface Act {
  readonly tool: "log_food" | "edit_food_item" | "delete_food_item";
  readonly args: Readonly<Record<string, string>>;
}

export type Outcome<Document extends Written> =
  | { readonly is: "done"; readonly document: Document }
  | ({ readonly is: "refused" } & Refusal<FoodItem>)
  | { readonly is: "unanswered"; readonly text: string };

/** Creates an action with its own idempotency key. */
export function newAct(tool: Act["tool"], args: Readonly<Record<string, string>>): Act {
  // Not `randomUUID`, which is missing on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { tool, args: { ...args, idempotency_key: `card-${key}` } };
}

/** Changes the journal through the host, with the assistant's tools. */
export class Journal {
  readonly #host: Host;
  readonly #mayWrite: boolean;
  readonly #connectionsUrl: string;
  readonly #told: string[] = [];

  constructor(host: Host, { mayWrite, connectionsUrl = "" }: DOMStringMap) {
    this.#host = host;
    this.#mayWrite = mayWrite === "true";
    this.#connectionsUrl = connectionsUrl;
  }

  /** Whether the connection may write and the host supports calls. */
  get mayAct(): boolean {
    return this.#mayWrite && this.#host.capabilities.serverTools !== undefined;
  }

  /** Says how to allow changes; nothing if they are allowed. */
  hint(): Child {
    if (this.#mayWrite) return undefined;
    const url = this.#connectionsUrl;
    const canOpen = this.#host.capabilities.openLinks !== undefined;
    const open = () => void this.#host.openLink(url).catch(() => undefined);
    return el(
      "p",
      { class: "soft hint" },
      "This connection may only read. With premium or beta access, you can allow it to log and correct food: ",
      canOpen
        ? el("button", { type: "button", class: "link", click: open }, "open the settings")
        : el("span", { class: "address" }, url),
      ".",
    );
  }

  /** Performs an action and reports it to the model as `told`. Never rejects. */
  async perform<Document extends Written>(act: Act, told: string): Promise<Outcome<Document>> {
    try {
      const result = await this.#host.callTool(act.tool, act.args);
      if (result.isError) return { is: "refused", ...refusalOf<FoodItem>(result) };
      this.#tell(told);
      return { is: "done", document: result.structuredContent as Document };
    } catch {
      return { is: "unanswered", text: UNANSWERED };
    }
  }

  #tell(told: string): void {
    this.#told.push(told);
    const text = `In the card, the user did this: ${this.#told.slice(-TOLD_MAX).join("; ")}.`;
    // Ignores failures: without the update, the model reads the journal again.
    this.#host.updateModelContext(text).catch(() => undefined);
  }
}
