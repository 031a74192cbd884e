import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import { markup } from "@nutrition/core/markup";
import { UsageStep } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import express from "express";
import type { Router } from "express";

import { getProfile } from "../../clients/account-profile.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import type { UpstreamDeletions } from "../../connections/upstream-deletions.ts";
import { parsePermission, scopesOf } from "../../domain/permissions.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Person } from "../../clients/person.ts";
import { accessNotice } from "../access-notice.ts";
import { doneNotice } from "../notice.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { timezoneNotice } from "../timezone-notice.ts";
import { revokePage } from "./revoke-view.ts";
import { connectionsPage } from "./view.ts";

/** Dependencies of the page. */
export interface ConnectionsDependencies extends PageDependencies {
  readonly deletions: UpstreamDeletions;
  readonly logger: Logger;
}

const ROUTE = "/settings/connections";
const PERMISSION_ROUTE = `${ROUTE}/permission`;
const REVOKE_ROUTE = `${ROUTE}/revoke`;
const USAGE_MS = 30 * 86_400_000;

const NOTICES = {
  changed: "The permission was changed and applies from now on.",
  revoked: "The assistant is disconnected and can no longer use your journal.",
};

/** Shows and manages a person's connected assistants. */
export function connectionsPages(dependencies: ConnectionsDependencies): Router {
  const { accountPages } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get(ROUTE, accountPages.page(ROUTE, list(dependencies)));
  router.post(
    PERMISSION_ROUTE,
    accountPages.page(PERMISSION_ROUTE, changePermission(dependencies)),
  );
  router.get(REVOKE_ROUTE, accountPages.page(REVOKE_ROUTE, askToRevoke(dependencies)));
  router.post(REVOKE_ROUTE, accountPages.page(REVOKE_ROUTE, revoke(dependencies)));
  return router;
}

function list(dependencies: ConnectionsDependencies): AccountHandler {
  const { backends, clock, baseUrl } = dependencies;
  return async (request, response, person) => {
    const [{ grants }, requests, settings, profile] = await Promise.all([
      backends.auth.listGrants({}, callOptionsFor(person)),
      countRequests(dependencies, person),
      undefinedIfUnavailable(getSettings(backends, person)),
      undefinedIfUnavailable(getProfile(backends, person)),
    ]);
    const { locale } = visitOf(response);
    const here = { timeZone: settings?.timezone ?? "UTC", now: clock.now(), locale };
    const notice = markup`${doneNotice(request, NOTICES)}
      ${accessNotice(profile, baseUrl)}${settings ? timezoneNotice(settings.timezone) : ""}`;
    const state = { grants, requests, here, notice, mcpUrl: `${baseUrl}/mcp` };
    sendPage(response, person, connectionsPage(visitOf(response), state));
  };
}

/** Requests of the last 30 days by credential; undefined when currently unknown. */
async function countRequests(
  { backends, clock }: ConnectionsDependencies,
  person: Person,
): Promise<Map<string, number> | undefined> {
  const start = timestampFromDate(new Date(clock.now().getTime() - USAGE_MS));
  const query = { start, step: UsageStep.DAY };
  const usage = await undefinedIfUnavailable(
    backends.limits.getUsage(query, callOptionsFor(person)),
  );
  if (!usage) return undefined;
  const counts = new Map<string, number>();
  for (const { credentialId, requests } of usage.buckets) {
    counts.set(credentialId, (counts.get(credentialId) ?? 0) + Number(requests));
  }
  return counts;
}

function changePermission({ backends }: ConnectionsDependencies): AccountHandler {
  return async (request, response, person) => {
    const permission = parsePermission(formField(request, "permission"));
    if (!permission) {
      const message = "Go back and choose what the assistant may do.";
      throw new Failure("invalid_argument", "UNKNOWN_PERMISSION", message);
    }
    const clientId = formField(request, "client_id");
    await backends.auth.updateGrant(
      { clientId, scopes: scopesOf(permission) },
      callOptionsFor(person),
    );
    response.redirect(303, `${ROUTE}?done=changed`);
  };
}

function askToRevoke({ backends }: ConnectionsDependencies): AccountHandler {
  return async (request, response, person) => {
    const clientId = queryField(request, "client_id");
    const { grants } = await backends.auth.listGrants({}, callOptionsFor(person));
    const grant = grants.find((one) => one.clientId === clientId);
    if (!grant) {
      throw new Failure("not_found", "GRANT_NOT_FOUND", "This assistant is not connected.");
    }
    sendPage(response, person, revokePage(visitOf(response), grant));
  };
}

function revoke({ backends, deletions, logger }: ConnectionsDependencies): AccountHandler {
  return async (request, response, person) => {
    const clientId = formField(request, "client_id");
    const sealedSession = await deletions.seal(person);
    await backends.auth.revokeGrant({ clientId, sealedSession }, callOptionsFor(person));
    try {
      await deletions.finishOwn(person);
    } catch (error) {
      logger.warn({ err: error }, "upstream deletion deferred to the background worker");
    }
    response.redirect(303, `${ROUTE}?done=revoked`);
  };
}
