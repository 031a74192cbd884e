import { createHash } from "node:crypto";

import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Response } from "express";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d8dc, #3b4148); --soft: light-dark(#f4f5f7, #1d2125); --accent: light-dark(#1b5fc1, #8ab8ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--soft); color: light-dark(#1c2024, #e8eaed); }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 1rem 0; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.note { border: 1px solid light-dark(#b7791f, #d9a441); border-radius: .5rem; padding: .5rem .75rem; font-size: .9rem; }
article, form.other { background: light-dark(#fff, #262b30); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; }
form { margin: 0 0 .5rem; }
label { display: block; margin: 0 0 .75rem; }
input { display: block; width: 100%; font: inherit; color: inherit; padding: .5rem; margin-top: .25rem; border: 1px solid light-dark(#80868d, #8a9199); border-radius: .375rem; background: transparent; }
button { width: 100%; font: inherit; color: inherit; padding: .6rem .75rem; border: 1px solid light-dark(#80868d, #8a9199); border-radius: .375rem; background: light-dark(#fff, #262b30); cursor: pointer; overflow-wrap: anywhere; }
button.main { background: var(--accent); border-color: var(--accent); color: light-dark(#fff, #10151b); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); overflow-wrap: anywhere; }
article h2 { margin-top: 0; }
.facts { font-size: .9rem; overflow-wrap: anywhere; }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/**
 * Omits form-action, because it would also have to name the site to which a form's response
 * redirects.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

export interface Page {
  title: string;
  body: Markup;
}

/** Responds with a page marked as being for development only. */
export function sendPage(response: Response, { title, body }: Page): void {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<p class="note"><strong>For development only.</strong> This identity provider stands in for a real one on this machine.</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  response
    .setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    .setHeader("Cache-Control", "no-store")
    .type("html")
    .send(page.html);
}
