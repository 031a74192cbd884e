import { InFlight } from "@nutrition/core/in-flight";
import type { Request, Router } from "express";
import express from "express";

import { parseRange } from "../../domain/export-range.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { queryField } from "../../http/form.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { oneAtATime } from "./download.ts";
import { exportCsv, exportJson } from "./everything.ts";
import { sendExportPage } from "./page.ts";
import { exportRange, readRangeForm } from "./range.ts";
import { EXPORT_ROUTE, FORMATS, RANGE_ROUTE, exportPath } from "./view.ts";

/** Each reads many pages of the journal. */
const DOWNLOADS_MAX = 1;

/** The page of downloads, and the downloads, which require a sign-in within the last 10 minutes. */
export function exportPages(dependencies: PageDependencies): Router {
  const { accountPages } = dependencies;
  const router = express.Router({ caseSensitive: true });
  const downloads = new InFlight(DOWNLOADS_MAX);
  const download = (
    path: string,
    handler: AccountHandler,
    /** Path of the page that starts the download after the sign-in. */
    returnTo: (request: Request) => string,
  ) => router.get(path, accountPages.recentPage(path, oneAtATime(downloads, handler), returnTo));

  router.get(
    EXPORT_ROUTE,
    accountPages.page(EXPORT_ROUTE, (request, response, person) =>
      sendExportPage(dependencies, { response, person }, stateOf(request)),
    ),
  );
  download(exportPath("json"), exportJson(dependencies), () => `${EXPORT_ROUTE}?format=json`);
  download(exportPath("csv"), exportCsv(dependencies), () => `${EXPORT_ROUTE}?format=csv`);
  download(RANGE_ROUTE, exportRange(dependencies), (request) => {
    return `${EXPORT_ROUTE}?${new URLSearchParams({ ...readRangeForm(request) }).toString()}`;
  });
  return router;
}

/** The download in the address: none, everything, or a range. */
function stateOf(request: Request) {
  const form = readRangeForm(request);
  if (form.from === "" && form.to === "") {
    const format = FORMATS.find((one) => one === queryField(request, "format"));
    return { begun: format && exportPath(format) };
  }
  const parsed = parseRange(form);
  if ("errors" in parsed) return { form, errors: parsed.errors };
  return { form, begun: `${RANGE_ROUTE}?${new URLSearchParams({ ...form }).toString()}` };
}
