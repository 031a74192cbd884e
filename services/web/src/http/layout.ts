import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Person } from "../clients/person.ts";
import { STYLE_SHEETS, assetPath } from "./assets.ts";
import type { Visit } from "./visit.ts";

/** Content of the layout. */
export interface Content {
  readonly title: string;
  readonly body: Markup;
  /** Names of the files in `assets/` that the page runs as modules. */
  readonly scripts?: readonly string[];
  /** Address to which the browser continues automatically. The page also links to it. */
  readonly continueTo?: string;
}

const NOTHING = markup``;

/** Renders the document around a page. */
export function renderLayout(page: Content, person: Person | undefined, visit: Visit): Markup {
  const { scripts = [], continueTo } = page;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Nutrition journal</title>
        <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml" />
        ${STYLE_SHEETS.map((name) => styleSheet(name, visit.nonce))}
        ${continueTo === undefined ? NOTHING : markup`<meta http-equiv="refresh" content="0;url=${continueTo}" />`}
        ${scripts.map((name) => script(name, visit.nonce))}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/">Nutrition journal</a>
          ${person ? navigation(person, visit) : NOTHING}
        </header>
        <main id="content">${visit.notices} ${page.body}</main>
      </body>
    </html>`;
}

function styleSheet(name: string, nonce: string): Markup {
  return markup`<link rel="stylesheet" href="${assetPath(name)}" nonce="${nonce}" />`;
}

function script(name: string, nonce: string): Markup {
  return markup`<script type="module" src="${assetPath(name)}" nonce="${nonce}"></script>`;
}

const PLACES = [
  { path: "/journal", name: "Journal", area: "/journal" },
  { path: "/settings/connections", name: "Assistants", area: "/settings/connections" },
  { path: "/settings/keys", name: "API keys", area: "/settings/keys" },
  // Also the pages that the profile leads to, such as the export.
  { path: "/settings/profile", name: "Profile", area: "/settings/" },
];

function navigation(person: Person, visit: Visit): Markup {
  const current = PLACES.find(({ area }) => visit.route.startsWith(area));
  return markup`<nav aria-label="Main">
      <ul>
        ${PLACES.map((one) => place(one, one === current, visit.route))}
      </ul>
    </nav>
    <form class="sign-out" method="post" action="/sign-out">
      ${csrfField(visit)}
      <span class="who">${person.email === "" ? person.name : person.email}</span>
      <button class="quiet">Sign out</button>
    </form>`;
}

function place({ path, name }: (typeof PLACES)[number], isCurrent: boolean, route: string): Markup {
  if (!isCurrent) return markup`<li><a href="${path}">${name}</a></li>`;
  const kind = route.startsWith(path) ? "page" : "true";
  return markup`<li><a href="${path}" aria-current="${kind}">${name}</a></li>`;
}

/** Hidden fields required in every form that posts. */
export function csrfField({ csrfToken }: Visit): Markup {
  return markup`<input type="hidden" name="csrf" value="${csrfToken}" />`;
}
