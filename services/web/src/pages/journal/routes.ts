import { isCivilDate } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import type { Router } from "express";
import express from "express";

import type { AccountHandler } from "../../http/account-page.ts";
import { queryField } from "../../http/form.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { sendDayPage } from "./day-page.ts";
import { TREND_DAYS, TREND_DAYS_DEFAULT } from "./trend-days.ts";

/** The pages of the journal. They are read-only: food is logged with the tools. */
export function journalPages(dependencies: PageDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  const page = (path: string, handler: AccountHandler) =>
    router.get(path, dependencies.accountPages.page(path, handler));

  page("/journal", async (request, response, person) => {
    const date = queryField(request, "date");
    if (date !== "") return response.redirect(303, `/journal/${existingDay(date)}`);
    const asked = Number(queryField(request, "days"));
    const trendDays = TREND_DAYS.find((days) => days === asked) ?? TREND_DAYS_DEFAULT;
    await sendDayPage(dependencies, { response, person }, { date: undefined, trendDays });
  });
  page("/journal/:date", async (request, response, person) => {
    const date = existingDay(String(request.params["date"]));
    await sendDayPage(dependencies, { response, person }, { date, trendDays: TREND_DAYS_DEFAULT });
  });
  return router;
}

function existingDay(text: string): string {
  if (isCivilDate(text)) return text;
  throw new Failure("not_found", "NO_SUCH_DAY", "This day does not exist. Choose another.");
}
