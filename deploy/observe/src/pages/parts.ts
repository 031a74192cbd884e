import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { RequestView } from "../views/request.ts";

/** Services with their own color. */
const COLOURED: ReadonlySet<string> = new Set([
  ...["gateway", "web", "auth", "limits", "journal", "analysis"],
]);
const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const MS_MAX = 8.64e15;

/** The class that gives an element a service's color. */
export function colourOf(service: string): string {
  return COLOURED.has(service) ? `of-${service}` : "of-other";
}

export function chip(service: string): Markup {
  return markup`<span class="chip ${colourOf(service)}">${service}</span>`;
}

/** A duration with about three digits. */
export function duration(ms: number): string {
  if (ms === 0) return "0 ms";
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Time of day on this machine. */
export function moment(msSince1970: number): Markup {
  const date = new Date(Math.min(msSince1970, MS_MAX));
  return markup`<time datetime="${date.toISOString()}">${CLOCK.format(date)}</time>`;
}

/** A path or name that may wrap after a slash or underscore. */
export function breakable(name: string): Markup {
  return markup`${name.split(/(?<=[/_])/).map((part) => markup`${part}<wbr>`)}`;
}

/** The outcome of a request, colored; our own errors are named. */
export function outcome({ status, error }: RequestView): Markup {
  const text = [status === undefined ? "" : String(status), error === String(status) ? "" : error]
    .filter(Boolean)
    .join(" ");
  const isOurs = status === undefined ? error !== undefined : status >= 500;
  const isRefused = error !== undefined || (status ?? 0) >= 400;
  return markup`<span class="${isOurs ? "failed" : isRefused ? "refused" : "fine"}">${text || "ok"}</span>`;
}

export function spanCount(count: number): string {
  return count === 1 ? "1 span" : `${count} spans`;
}
