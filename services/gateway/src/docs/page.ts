import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Chapter, Section } from "./chapter.ts";
import { LANGUAGES } from "./code-block.ts";
import { DOCS } from "./paths.ts";

export const STYLE_PATHS = ["/docs/docs.css", "/docs/content.css", "/docs/controls.css"] as const;
export const SCRIPT_PATHS = ["/docs/copy.js", "/docs/search.js", "/docs/try.js"] as const;
export const SEARCH_INDEX_PATH = "/docs/search.json";

const STYLES = STYLE_PATHS.map((path) => markup`<link rel="stylesheet" href="${path}" />`);

/** Allows only the gateway's own files. A script sends the forms with `fetch`. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page with the documentation's styles. */
export function renderPage(title: string, body: Markup, scripts: readonly string[] = []): string {
  const loaded = scripts.map((path) => markup`<script type="module" src="${path}"></script>`);
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - Nutrition Journal</title>
        ${STYLES} ${loaded}
      </head>
      <body>${body}</body>
    </html>`.html;
}

/** A chapter with the navigation to all chapters. */
export function renderChapter(chapter: Chapter, all: readonly Chapter[]): string {
  const body = markup`<a class="skip" href="#content">Skip to the content</a>
    ${topBar(chapter)}
    <div class="columns">
      <nav class="chapters" aria-label="Chapters">${navigation(chapter, all)}</nav>
      <main id="content">
        <h1>${chapter.title}</h1>
        ${chapter.introduction} ${onThisPage(chapter)}
        ${chapter.sections.map(renderSection)} ${nextChapter(chapter, all)}
      </main>
    </div>`;
  return renderPage(chapter.title, body, SCRIPT_PATHS);
}

function topBar({ hasLanguages = false }: Chapter): Markup {
  return markup`<header class="top">
    <a class="brand" href="${DOCS.start}">Nutrition Journal <span>docs</span></a>
    <form role="search" class="search" hidden>
      <label class="unseen" for="search">Search the documentation</label>
      <input id="search" type="search" placeholder="Search (press /)" autocomplete="off" />
      <div class="found" hidden>
        <p role="status"></p>
        <ul></ul>
      </div>
    </form>
    ${hasLanguages ? languageChoice() : ""}
    <a class="openapi" href="/openapi.json">OpenAPI</a>
  </header>`;
}

/** Radio buttons, so that the style sheet alone shows the chosen language. */
function languageChoice(): Markup {
  const options = Object.entries(LANGUAGES).map(
    ([value, name], index) => markup`<label
      ><input type="radio" name="language" value="${value}"${index === 0 ? " checked" : ""} /><span
        >${name}</span
      ></label
    >`,
  );
  return markup`<fieldset class="languages">
    <legend class="unseen">Language of the examples</legend>
    ${options}
  </fieldset>`;
}

function navigation(current: Chapter, all: readonly Chapter[]): Markup {
  const items = all.map((chapter) => {
    if (chapter !== current) return markup`<li><a href="${chapter.path}">${chapter.title}</a></li>`;
    return markup`<li>
      <a href="${chapter.path}" aria-current="page">${chapter.title}</a>
      <ul>${links(chapter)}</ul>
    </li>`;
  });
  return markup`<ul>${items}</ul>`;
}

/** For narrow screens, where the navigation lists only chapters. */
function onThisPage(chapter: Chapter): Markup {
  return markup`<details class="on-page">
    <summary>On this page</summary>
    <ul>${links(chapter)}</ul>
  </details>`;
}

function links({ sections }: Chapter): Markup {
  const items = sections.map(({ id, title, group }, index) => {
    const isFirst = group !== undefined && sections[index - 1]?.group !== group;
    const heading = isFirst ? markup`<li class="group">${group}</li>` : "";
    return markup`${heading}<li><a href="#${id}">${title}</a></li>`;
  });
  return markup`${items}`;
}

function renderSection({ id, title, body }: Section): Markup {
  return markup`<section aria-labelledby="${id}">
    <h2 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2>
    ${body}
  </section>`;
}

function nextChapter(current: Chapter, all: readonly Chapter[]): Markup {
  const next = all[all.indexOf(current) + 1];
  if (next === undefined) return markup``;
  return markup`<p class="next">Next: <a href="${next.path}">${next.title}</a></p>`;
}
