import { markup } from "@nutrition/core/markup";

import type { AccountHandler } from "../../http/account-page.ts";
import { queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";

/** Path of the page with the downloads. */
export const EXPORT_ROUTE = "/settings/export";

const FORMATS = ["json", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** Path of the download; it requires a sign-in of the last 10 minutes. */
export function exportPath(format: ExportFormat): string {
  return `/journal/export.${format}`;
}

/** Path of the page that starts the download automatically. */
export function exportPagePath(format: ExportFormat): string {
  return `${EXPORT_ROUTE}?format=${format}`;
}

/** Shows the downloads, and starts the one that the person signed in again for. */
export const showExport: AccountHandler = async (request, response, person) => {
  const asked = FORMATS.find((format) => format === queryField(request, "format"));
  const begun = markup`<p class="notice" role="status">Your download is starting. If it does not,
    choose it below.</p>`;
  sendPage(response, person, {
    title: "Take your data with you",
    body: markup`<section class="card narrow">
      <h1>Take your data with you</h1>
      ${asked ? begun : ""}
      <p>For your safety, a download asks you to sign in again if you have been signed in for more than
        10 minutes.</p>
      <p class="actions">
        <a class="button" href="${exportPath("json")}">Everything (JSON)</a>
        <a class="button quiet" href="${exportPath("csv")}">Food as a table (CSV)</a>
      </p>
      <p><a href="/settings/profile#account">Back to the profile</a></p>
    </section>`,
    ...(asked && { continueTo: exportPath(asked) }),
  });
};
