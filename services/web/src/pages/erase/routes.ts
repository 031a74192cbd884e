import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { Response, Router } from "express";
import express from "express";

import { getProfile } from "../../clients/account-profile.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import type { Person } from "../../clients/person.ts";
import type { Announce } from "../../http/account-page.ts";
import { signInAgainPath } from "../../http/account-page.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { ERASE_ROUTE, KEEP_ROUTE, eraseView, erasureNotice, scheduledView } from "./view.ts";

/** The page on which a person schedules or cancels the erasure of their account. */
export function erasePages(dependencies: PageDependencies): Router {
  const { backends, accountPages, sendsMail: sendMail } = dependencies;
  const router = express.Router({ caseSensitive: true });
  const show = showErasure(dependencies);
  router.get(
    ERASE_ROUTE,
    accountPages.page(ERASE_ROUTE, (_request, response, person) => show(response, person, {})),
  );
  router.post(
    ERASE_ROUTE,
    accountPages.page(ERASE_ROUTE, async (request, response, person) => {
      if (formField(request, "understood") !== "yes")
        return show(response, person, { understood: "Tick this to go on." });
      try {
        await backends.auth.requestErasure({ sendMail }, callOptionsFor(person));
      } catch (error) {
        if (!(error instanceof Failure && error.reason === "SIGN_IN_NOT_RECENT")) throw error;
        return response.redirect(303, signInAgainPath(ERASE_ROUTE));
      }
      response.redirect(303, ERASE_ROUTE);
    }),
  );
  router.post(
    KEEP_ROUTE,
    accountPages.page(KEEP_ROUTE, async (_request, response, person) => {
      await backends.auth.cancelErasure({ sendMail }, callOptionsFor(person));
      response.redirect(303, "/settings/profile?done=kept#account");
    }),
  );
  return router;
}

function showErasure({ backends, clock, sendsMail }: PageDependencies) {
  return async (response: Response, person: Person, errors: FormErrors): Promise<void> => {
    const visit = visitOf(response);
    const [{ eraseAt }, { timezone: timeZone }, { email }] = await Promise.all([
      backends.auth.getErasure({}, callOptionsFor(person)),
      getSettings(backends, person),
      getProfile(backends, person),
    ]);
    const mailTo = sendsMail ? email : null;
    const viewer = { timeZone, now: clock.now(), locale: visit.locale };
    const body = eraseAt
      ? scheduledView(timestampDate(eraseAt), { viewer, mailTo }, visit)
      : eraseView({ errors, mailTo }, visit);
    const status = Object.keys(errors).length > 0 ? 400 : 200;
    sendPage(response, person, { title: "Erase the account", body, status });
  };
}

/** Adds a notice to every page while the erasure is scheduled; nothing if that is unknown. */
export function announceErasure({ backends }: Pick<PageDependencies, "backends">): Announce {
  return async (request, response, person) => {
    // That page has its own text.
    if (request.path === ERASE_ROUTE) return;
    const answer = await undefinedIfUnavailable(
      backends.auth.getErasure({}, callOptionsFor(person)),
    );
    if (!answer?.eraseAt) return;
    const visit = visitOf(response);
    // Before all other notices, however long they took to find.
    visit.notices.unshift(erasureNotice(timestampDate(answer.eraseAt), visit));
  };
}
