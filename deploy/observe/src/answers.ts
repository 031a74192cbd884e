import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { renderPage } from "./pages/layout.ts";
import { overviewPage } from "./pages/overview-page.ts";
import { tracePage } from "./pages/trace-page.ts";
import type { SeriesStore } from "./store/series-store.ts";
import type { TraceStore } from "./store/trace-store.ts";
import { overviewOf } from "./views/overview.ts";
import { requestOf } from "./views/request.ts";
import { waterfallOf } from "./views/waterfall.ts";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface Stores {
  readonly traces: TraceStore;
  readonly series: SeriesStore;
}

const FOLDER = join(import.meta.dirname, "../assets");
const ASSETS: ReadonlyMap<string, Answer> = new Map([
  ["/page.css", asset("page.css", "text/css; charset=utf-8")],
  ["/refresh.js", asset("refresh.js", "text/javascript; charset=utf-8")],
]);
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const TRACE_PATH = /^\/(api\/)?requests\/([0-9a-f]{32})$/;

/**
 * Whether a Host header names this machine. With DNS rebinding, it names another site.
 */
export function isOwnHost(host: string | undefined): boolean {
  return LOOPBACK_NAMES.has(URL.parse(`http://${host}`)?.hostname ?? "");
}

/** Responds to a GET of this path. */
export function answerTo(path: string, { traces, series }: Stores): Answer {
  const shipped = ASSETS.get(path);
  if (shipped) return shipped;
  if (path === "/") return page("Requests", overviewPage(overviewOf(traces, series)));
  if (path === "/api/overview") return json(overviewOf(traces, series));
  const [, isData, traceId = ""] = TRACE_PATH.exec(path) ?? [];
  if (traceId === "") return refusal(404, "This page does not exist.");
  const trace = traces.trace(traceId);
  if (!trace) return refusal(404, "This request is unknown, or no longer stored.");
  const request = requestOf(trace);
  if (isData) return json({ request, spans: trace.spans });
  const isKept = (id: string) => traces.trace(id) !== undefined;
  return page("One request", tracePage(request, waterfallOf(trace), isKept));
}

/** A response that explains an error. */
export function refusal(status: number, message: string): Answer {
  const body = markup`<p><a href="/">All requests</a></p><p>${message}</p>`;
  return { ...page("Nothing here", body), status };
}

function page(title: string, body: Markup): Answer {
  return { status: 200, type: "text/html; charset=utf-8", body: renderPage(title, body).html };
}

function json(value: unknown): Answer {
  return { status: 200, type: "application/json", body: JSON.stringify(value) };
}

function asset(name: string, type: string): Answer {
  return { status: 200, type, body: readFileSync(join(FOLDER, name), "utf8") };
}
