import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { ReceivedAttributes, ReceivedSpan } from "@nutrition/telemetry/otlp/received";

import type { RequestView } from "../views/request.ts";
import type { Waterfall, WaterfallRow } from "../views/waterfall.ts";
import { chip, colourOf, duration, moment, outcome, spanCount } from "./parts.ts";

/** Deeper spans are not indented further. */
const DEPTH_SHOWN = 10;
/** Minimum visible width of a bar, in percent. */
const BAR_MIN = 0.4;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** One request: each span with its time, below its parent. */
export function tracePage(
  request: RequestView | undefined,
  waterfall: Waterfall,
  isKept: (traceId: string) => boolean,
): Markup {
  const { rows, durationMs } = waterfall;
  return markup`
<p class="back"><a href="/">All requests</a></p>
${request ? heading(request) : markup`<h1>A request that goes on</h1><p>Its first span has not arrived.</p>`}
<div class="axis"><span></span><ol>${TICKS.map((share) => markup`<li>${duration(durationMs * share)}</li>`)}</ol></div>
<ol class="spans">${rows.map((row) => spanRow(row, waterfall, isKept))}</ol>`;
}

function heading(request: RequestView): Markup {
  const { name, message, startMs, durationMs, services, spans, traceId } = request;
  return markup`
<h1>${name}${message === undefined ? "" : markup` <b>${message}</b>`}</h1>
<p class="facts">${outcome(request)} <span>${duration(durationMs)}</span> ${moment(startMs)} <span>${spanCount(spans)}</span> <span class="through">${services.map(chip)}</span></p>
<p class="kept">Trace ${traceId} <a href="/api/requests/${traceId}">As JSON</a></p>`;
}

function spanRow(
  { span, depth, isOrphan }: WaterfallRow,
  waterfall: Waterfall,
  isKept: (traceId: string) => boolean,
): Markup {
  const indents = Array.from({ length: Math.min(depth, DEPTH_SHOWN) }, () => markup`<i></i>`);
  return markup`
<li><details><summary>
<span class="name" title="${span.name}">${indents}<span class="dot ${colourOf(span.service)}"></span><span class="service">${span.service}</span> <span class="label">${arrowOf(span)}${shortName(span.name)}</span></span>
<span class="took${span.isError ? " failed" : ""}">${duration(span.durationMs)}</span>
${bar(span, waterfall)}
</summary>
<dl>${isOrphan ? entry("below", "a span that has not arrived") : ""}${entry("name", span.name)}${entry("service", span.service)}${entry("kind", span.kind)}${entry("began after", duration(span.startMs - waterfall.startMs))}${attributeEntries(span.attributes)}${span.events.map(({ name, atMs, attributes }) => entry(`event at ${duration(atMs - waterfall.startMs)}`, [name, ...textsOf(attributes)].join(" ")))}</dl>
${span.linkedTraceIds.length === 0 ? "" : markup`<p class="links">Linked: ${span.linkedTraceIds.map((id) => link(id, isKept(id)))}</p>`}
</details></li>`;
}

function bar({ service, startMs, durationMs, isError }: ReceivedSpan, whole: Waterfall): Markup {
  const percent = (ms: number) => (100 * ms) / Math.max(whole.durationMs, Number.MIN_VALUE);
  const width = Math.min(100, Math.max(BAR_MIN, percent(durationMs)));
  const x = Math.min(percent(startMs - whole.startMs), 100 - width);
  return markup`<svg class="bar ${colourOf(service)}${isError ? " failed" : ""}" aria-hidden="true"><rect x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="100%" rx="2"></rect></svg>`;
}

/** Calls and statements are requests of a service to another. */
function arrowOf({ kind }: ReceivedSpan): string {
  return kind === "client" ? "→ " : "";
}

/** `nutrition.auth.v1.AuthService/Authenticate` without its package. */
function shortName(name: string): string {
  return name.replace(/^[a-z0-9_.]+\.(?=[A-Z]\w*\/)/, "");
}

function attributeEntries(attributes: ReceivedAttributes): Markup[] {
  return Object.entries(attributes).map(([key, value]) => entry(key, String(value)));
}

function textsOf(attributes: ReceivedAttributes): string[] {
  return Object.entries(attributes).map(([key, value]) => `${key}=${String(value)}`);
}

function entry(key: string, value: string): Markup {
  return markup`<div><dt>${key}</dt><dd>${value}</dd></div>`;
}

function link(traceId: string, isKept: boolean): Markup {
  return isKept ? markup`<a href="/requests/${traceId}">${traceId}</a> ` : markup`${traceId} `;
}
