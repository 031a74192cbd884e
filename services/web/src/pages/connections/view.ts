import { timestampDate } from "@bufbuild/protobuf/wkt";
import { formatFigure } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Grant } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { PERMISSIONS, permissionOf } from "../../domain/permissions.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { clientHome, clientName } from "../client-view.ts";
import type { ViewerTime } from "../moment.ts";
import { momentWithDistance } from "../moment.ts";
import { TIMEZONE_SCRIPT } from "../timezone-notice.ts";
import { howToConnect } from "./how-to-connect.ts";

export interface ConnectionsState {
  readonly grants: readonly Grant[];
  /** Requests of the last 30 days by client; undefined when unavailable. */
  readonly requests: ReadonlyMap<string, number> | undefined;
  readonly here: ViewerTime;
  readonly notice: Markup;
  /** Address of the tool endpoint. */
  readonly mcpUrl: string;
}

const NAMES = { read: "Read only", write: "Read and log" };

/** Lists the connected assistants and explains how to connect one. */
export function connectionsPage(visit: Visit, state: ConnectionsState): Page {
  const { grants, notice, mcpUrl } = state;
  return {
    title: "Assistants",
    scripts: ["copy.js", TIMEZONE_SCRIPT],
    body: markup`<h1>Assistants</h1>
      <p class="soft">Assistants that you let into your journal. Each can be changed or disconnected at
        any time.</p>
      ${notice}
      ${grants.length === 0 ? EMPTY : grants.map((grant, index) => grantCard(visit, { grant, index, state }))}
      ${howToConnect(mcpUrl)}`,
  };
}

const EMPTY = markup`<section class="card">
  <h2>No assistant is connected yet</h2>
  <p>Connect the assistant that you already use, and tell it what you eat. It takes a minute; the
    steps are below.</p>
</section>`;

function grantCard(
  visit: Visit,
  { grant, index, state }: { grant: Grant; index: number; state: ConnectionsState },
): Markup {
  const { here, requests } = state;
  const since = timestampDate(grant.grantedAt!);
  return markup`<section class="card" aria-labelledby="assistant-${index}">
    <h2 id="assistant-${index}">${clientName(grant.clientName)}</h2>
    <dl class="facts">
      <div><dt>Returns to</dt><dd>${clientHome(grant.redirectHost)}</dd></div>
      <div><dt>Connected</dt><dd>${momentWithDistance(since, here)}</dd></div>
      <div><dt>Last used</dt><dd>${grant.lastUsedAt ? momentWithDistance(timestampDate(grant.lastUsedAt), here) : "never"}</dd></div>
      <div><dt>Requests in 30 days</dt><dd>${requests ? formatFigure(requests.get(grant.clientId) ?? 0) : "currently unknown"}</dd></div>
    </dl>
    <div class="actions">
      <form class="inline" method="post" action="/settings/connections/permission">
        ${csrfField(visit)}
        <input type="hidden" name="client_id" value="${grant.clientId}" />
        <label for="permission-${index}">It may</label>
        <select id="permission-${index}" name="permission">${options(grant)}</select>
        <button class="quiet">Change</button>
      </form>
      <a class="button quiet" href="/settings/connections/revoke?client_id=${encodeURIComponent(grant.clientId)}"
        aria-describedby="assistant-${index}">Disconnect</a>
    </div>
  </section>`;
}

function options({ scopes }: Grant): Markup[] {
  const current = permissionOf(scopes);
  return PERMISSIONS.map((permission) =>
    permission === current
      ? markup`<option value="${permission}" selected>${NAMES[permission]}</option>`
      : markup`<option value="${permission}">${NAMES[permission]}</option>`,
  );
}
