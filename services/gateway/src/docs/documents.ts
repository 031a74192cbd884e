import { readFileSync } from "node:fs";

import { createOpenApiDocument } from "../openapi/document.ts";
import type { StaticDocument } from "../routes/static-documents.ts";
import type { Chapter } from "./chapter.ts";
import { changelogChapter } from "./chapters/changelog.ts";
import { limitsChapter } from "./chapters/limits.ts";
import { recipesChapter } from "./chapters/recipes.ts";
import { restChapter } from "./chapters/rest.ts";
import { startChapter } from "./chapters/start.ts";
import { toolsChapter } from "./chapters/tools.ts";
import {
  CONTENT_SECURITY_POLICY,
  SCRIPT_PATHS,
  SEARCH_INDEX_PATH,
  STYLE_PATHS,
  renderChapter,
} from "./page.ts";
import { readPolicyLimits } from "./policy-limits.ts";
import { searchIndex } from "./search-index.ts";

const ASSETS = new URL("../../assets/", import.meta.url);

export interface DocsOptions {
  baseUrl: string;
  authUrl: string | undefined;
  /** File of the limits service's policies. */
  policyFile: string;
}

/** `/openapi.json` and the pages below `/docs`, generated from the data that the code uses. */
export function docsDocuments({ baseUrl, authUrl, policyFile }: DocsOptions): StaticDocument[] {
  const document = createOpenApiDocument(baseUrl, authUrl);
  const chapters = [
    startChapter(baseUrl, authUrl !== undefined),
    restChapter(document),
    recipesChapter(baseUrl),
    toolsChapter(baseUrl),
    limitsChapter(document, readPolicyLimits(policyFile)),
    changelogChapter(),
  ];
  return [
    { path: "/openapi.json", type: "application/json", body: JSON.stringify(document) },
    {
      path: SEARCH_INDEX_PATH,
      type: "application/json",
      body: JSON.stringify(searchIndex(chapters)),
    },
    ...chapters.map((chapter) => page(chapter, chapters)),
    ...STYLE_PATHS.map((path) => asset(path, "text/css")),
    ...SCRIPT_PATHS.map((path) => asset(path, "text/javascript")),
  ];
}

function page(chapter: Chapter, all: readonly Chapter[]): StaticDocument {
  return {
    path: chapter.path,
    type: "text/html; charset=utf-8",
    body: renderChapter(chapter, all),
    headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY },
  };
}

function asset(path: string, type: string): StaticDocument {
  const name = path.split("/").at(-1) ?? "";
  return {
    path,
    type: `${type}; charset=utf-8`,
    body: readFileSync(new URL(name, ASSETS), "utf8"),
  };
}
