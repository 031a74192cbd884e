import { markup } from "@nutrition/core/markup";
import type { Grant } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { clientHome, clientName } from "../client-view.ts";

/** Confirms before an assistant is disconnected. */
export function revokePage(visit: Visit, grant: Grant): Page {
  return {
    title: "Disconnect an assistant",
    body: markup`<section class="card narrow">
      <h1>Disconnect ${clientName(grant.clientName)}?</h1>
      <p>It returned to ${clientHome(grant.redirectHost)}. It loses access within seconds. What it has
        logged stays in your journal, and you can connect it again.</p>
      <form method="post" action="/settings/connections/revoke">
        ${csrfField(visit)}
        <input type="hidden" name="client_id" value="${grant.clientId}" />
        <div class="actions">
          <a class="button quiet" href="/settings/connections">Keep it</a>
          <button class="danger">Disconnect</button>
        </div>
      </form>
    </section>`,
  };
}
