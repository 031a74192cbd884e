import { foreignText } from "@nutrition/core/foreign-text";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { foreign } from "./foreign.ts";

const NAME_MAX = 60;

/** The client's own, unverified name, or a text that says that it has none. */
export function clientName(name: string): Markup {
  return foreignText(name, NAME_MAX) === ""
    ? markup`An app without a name`
    : foreign(name, NAME_MAX);
}

/**
 * The client's location: a host in ASCII, or for an app on a device the scheme of its addresses.
 */
export function clientHome(host: string): Markup {
  if (!host.endsWith(":")) return markup`<code class="host">${host}</code>`;
  return markup`the app on your device that opens <code class="host">${host}</code> links`;
}
