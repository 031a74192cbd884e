import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Request } from "express";

import { queryField } from "../http/form.ts";

/** The fixed text for `?done=<code>`; nothing for an unknown code. */
export function doneNotice(request: Request, texts: Readonly<Record<string, string>>): Markup {
  const code = queryField(request, "done");
  if (!Object.hasOwn(texts, code)) return markup``;
  return markup`<p class="notice" role="status">${texts[code]!}</p>`;
}
