import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Overview, RefusalView, RouteView, ServiceView } from "../views/overview.ts";
import type { RequestView } from "../views/request.ts";
import { breakable, chip, duration, moment, outcome, spanCount } from "./parts.ts";

const MIB = 1024 ** 2;
const NUMBER = new Intl.NumberFormat("en");

/** The first page: the latest requests, and statistics over all. */
export function overviewPage({ requests, routes, refusals, services, kept }: Overview): Markup {
  return markup`
<h1>Requests</h1>
${requests.length === 0 ? markup`<p class="none">No request yet. Open the journal or call the API, and it appears here.</p>` : requestList(requests)}
<div class="columns">
<section><h2>Slowest routes</h2>${routes.length === 0 ? NOTHING : routeTable(routes)}</section>
<section><h2>Refusals by policy</h2>${refusals.length === 0 ? NOTHING : refusalTable(refusals)}</section>
<section class="wide"><h2>Services since they started</h2>${services.length === 0 ? NOTHING : serviceTable(services)}</section>
</div>
<p class="kept">Kept in memory: ${NUMBER.format(kept.requests)} requests (${(kept.bytes / MIB).toFixed(1)} MiB) and ${NUMBER.format(kept.series)} series of metrics${kept.droppedSpans === 0 ? "" : `; ${NUMBER.format(kept.droppedSpans)} spans were too large or too many`}. The routes are those of these requests. <a href="/api/overview">As JSON</a></p>`;
}

const NOTHING = markup`<p class="none">None yet.</p>`;

function requestList(requests: readonly RequestView[]): Markup {
  return markup`<ol class="requests">${requests.map(requestLine)}</ol>`;
}

function requestLine(request: RequestView): Markup {
  const { traceId, name, message, startMs, durationMs, services, spans } = request;
  return markup`
<li><a href="/requests/${traceId}">
<span class="when">${moment(startMs)}</span>
<span class="what">${breakable(name)}${message === undefined ? "" : markup` <b>${message}</b>`}</span>
<span class="how">${outcome(request)}</span>
<span class="took">${duration(durationMs)}</span>
<span class="through" title="${spanCount(spans)}">${services.map(chip)}</span>
</a></li>`;
}

function routeTable(routes: readonly RouteView[]): Markup {
  return markup`<table>
<tr><th>Route or tool</th><th class="n">Count</th><th class="n">p50</th><th class="n">p99</th></tr>
${routes.map(
  ({ name, count, p50Ms, p99Ms }) =>
    markup`<tr><td>${breakable(name)}</td><td class="n">${NUMBER.format(count)}</td><td class="n">${duration(p50Ms)}</td><td class="n">${duration(p99Ms)}</td></tr>`,
)}</table>`;
}

function refusalTable(refusals: readonly RefusalView[]): Markup {
  return markup`<table>
<tr><th>Policy</th><th class="n">Refused</th></tr>
${refusals.map(
  ({ policy, count }) =>
    markup`<tr><td>${policy}</td><td class="n">${NUMBER.format(count)}</td></tr>`,
)}</table>`;
}

function serviceTable(services: readonly ServiceView[]): Markup {
  return markup`<table>
<tr><th>Service</th><th class="n">Requests</th><th class="n">Failed</th><th class="n">Queries</th><th class="n">Memory</th><th class="n rest">Loop delay p99</th></tr>
${services.map(serviceRow)}</table>`;
}

function serviceRow(service: ServiceView): Markup {
  const { name, requests, failures, statements, memoryBytes, loopDelayMs } = service;
  return markup`<tr><td>${chip(name)}</td><td class="n">${NUMBER.format(requests)}</td>
<td class="n"><span class="${failures === 0 ? "" : "failed"}">${NUMBER.format(failures)}</span></td>
<td class="n">${NUMBER.format(statements)}</td>
<td class="n">${memoryBytes === undefined ? "–" : `${Math.round(memoryBytes / MIB)} MiB`}</td>
<td class="n rest">${loopDelayMs === undefined ? "–" : duration(loopDelayMs)}</td></tr>`;
}
