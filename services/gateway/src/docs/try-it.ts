import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Parameter } from "../openapi/document.ts";

/** Field for the reader's key. The page's script keeps the key in memory, and nowhere else. */
export function keyField(): Markup {
  return markup`<div class="key try" hidden>
    <label for="key">API key for “Try it”</label>
    <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="service_live_…" />
    <p class="soft">
      It stays in this page's memory and is gone when you leave or reload it. Requests count against
      its limit.
    </p>
  </div>`;
}

/** Form that sends a read with the reader's parameters. The page's script unhides it. */
export function tryRead(path: string, parameters: readonly Parameter[]): Markup {
  const fields = parameters.map(({ name, schema }) => {
    const id = `${path.split("/").at(-1)}-${name}`;
    return markup`<label for="${id}">${name}</label>${inputOf(id, name, schema)}`;
  });
  return form(markup`data-path="${path}"`, "Send the request", markup`${fields}`);
}

/** Form that calls a tool with JSON that the reader may change. */
export function tryTool(name: string, example: object, isWrite: boolean): Markup {
  const id = `arguments-${name}`;
  const json = JSON.stringify(example, undefined, 2);
  const fields = markup`<label for="${id}">arguments</label>
    <textarea id="${id}" name="arguments" rows="${json.split("\n").length}" spellcheck="false">
${json}</textarea
    >`;
  const action = isWrite ? "Call it: this changes your journal" : "Call the tool";
  return form(markup`data-tool="${name}"`, action, fields);
}

function form(target: Markup, action: string, fields: Markup): Markup {
  return markup`<form class="try" ${target} hidden>
    <h3>Try it</h3>
    <div class="fields">${fields}</div>
    <button type="submit">${action}</button>
    <p class="status" role="status"></p>
    <pre class="answer" tabindex="0" aria-label="Answer" hidden></pre>
  </form>`;
}

function inputOf(id: string, name: string, { format, minimum, maximum }: Parameter["schema"]) {
  if (format === "date") return markup`<input id="${id}" name="${name}" type="date" />`;
  if (typeof minimum !== "number" || typeof maximum !== "number") {
    return markup`<input id="${id}" name="${name}" />`;
  }
  return markup`<input id="${id}" name="${name}" type="number" min="${minimum}" max="${maximum}" />`;
}
