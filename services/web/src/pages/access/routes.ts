import type { Logger } from "@nutrition/core/logger";
import type { Grant, Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import express from "express";
import type { Request, Router } from "express";

import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import type { UpstreamDeletions } from "../../connections/upstream-deletions.ts";
import { returnPath } from "../../domain/return-path.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField, formFields, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { IdentityProvider } from "../../identity-provider/identity-provider.ts";
import type { Person } from "../../clients/person.ts";
import type { Sessions } from "../../sessions/session.ts";
import { doneNotice } from "../notice.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { ACCESS_ROUTE, accessPage } from "./view.ts";

/** Dependencies of the page. */
export interface AccessDependencies extends PageDependencies {
  readonly sessions: Sessions;
  readonly provider: IdentityProvider;
  readonly deletions: UpstreamDeletions;
  readonly logger: Logger;
}

const SIGN_OUT_ROUTE = "/settings/sign-out-everywhere";

const NOTICES = {
  "password-changed":
    "Your password is changed. You are signed in here, and signed out everywhere else.",
  ended: "Ended. What used it stops working within seconds.",
  nothing: "Nothing was chosen, so nothing was ended.",
};

/** Path of the page, with a notice and a link to `returnTo`. */
export function accessPath(done: keyof typeof NOTICES, returnTo: string): string {
  return `${ACCESS_ROUTE}?${new URLSearchParams({ done, return_to: returnTo }).toString()}`;
}

/** Shows everything with access to an account, and ends it on request. */
export function accessPages(dependencies: AccessDependencies): Router {
  const { accountPages } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get(ACCESS_ROUTE, accountPages.page(ACCESS_ROUTE, showAccess(dependencies)));
  router.post(ACCESS_ROUTE, accountPages.page(ACCESS_ROUTE, endAccess(dependencies)));
  router.post(SIGN_OUT_ROUTE, accountPages.page(SIGN_OUT_ROUTE, signOutEverywhere(dependencies)));
  return router;
}

function showAccess(dependencies: AccessDependencies): AccountHandler {
  return async (request, response, person) => {
    const returnTo = returnPath(queryField(request, "return_to"));
    const notice = doneNotice(request, NOTICES);
    const access = await listAccess(dependencies, person);
    sendPage(response, person, accessPage(visitOf(response), { ...access, notice, returnTo }));
  };
}

/** Each revocation is permanent, so the form can be sent again if one of them fails. */
function endAccess(dependencies: AccessDependencies): AccountHandler {
  const { backends, deletions, logger } = dependencies;
  return async (request, response, person) => {
    const returnTo = returnPath(formField(request, "return_to"));
    const { keys, grants } = chosenOf(request, await listAccess(dependencies, person));
    if (keys.length + grants.length === 0) {
      return response.redirect(303, accessPath("nothing", returnTo));
    }
    for (const { id: value } of keys) {
      await backends.auth.revokeKey({ selector: { case: "keyId", value } }, callOptionsFor(person));
    }
    const sealedSession = await deletions.seal(person);
    for (const { clientId } of grants) {
      await backends.auth.revokeGrant({ clientId, sealedSession }, callOptionsFor(person));
    }
    await deletions.finishOwn(person).catch((error: unknown) => {
      logger.warn({ err: error }, "upstream deletions deferred to the background worker");
    });
    response.redirect(303, accessPath("ended", returnTo));
  };
}

/** Ends the sessions here before calling the provider, because they alone give access here. */
function signOutEverywhere({ sessions, provider }: AccessDependencies): AccountHandler {
  return async (_request, response, person) => {
    await sessions.endAll(response, person);
    // Only this session: the person's sessions at the provider include those of assistants.
    await undefinedIfUnavailable(provider.endSession(person.accessToken));
    response.redirect(303, "/sign-in?done=signed-out-everywhere");
  };
}

interface Access {
  readonly keys: readonly Key[];
  readonly grants: readonly Grant[];
}

async function listAccess({ backends }: AccessDependencies, person: Person): Promise<Access> {
  const [{ keys }, { grants }] = await Promise.all([
    backends.auth.listKeys({}, callOptionsFor(person)),
    backends.auth.listGrants({}, callOptionsFor(person)),
  ]);
  return { keys, grants };
}

function chosenOf(request: Request, { keys, grants }: Access): Access {
  if (formField(request, "end") === "all") return { keys, grants };
  const keyIds = new Set(formFields(request, "key_id"));
  const clientIds = new Set(formFields(request, "client_id"));
  return {
    keys: keys.filter(({ id }) => keyIds.has(id)),
    grants: grants.filter(({ clientId }) => clientIds.has(clientId)),
  };
}
