import type { Markup } from "@nutrition/core/markup";
import type { Response } from "express";

import type { Person } from "../sessions/session.ts";
import { renderLayout } from "./layout.ts";
import { visitOf } from "./visit.ts";

/** What a page is made of. */
export interface Page {
  readonly title: string;
  readonly body: Markup;
  /** 200 unless given. */
  readonly status?: number;
  /** Names of the files in `assets/` that the page runs as modules. */
  readonly scripts?: readonly string[];
  /** Where the browser goes on to by itself. The page has a link to it, too. */
  readonly continueTo?: string;
}

/** Answers with a page; `person` is who is signed in, for the navigation. */
export function sendPage(response: Response, person: Person | undefined, page: Page): void {
  const { nonce } = visitOf(response);
  response.status(page.status ?? 200);
  response.setHeader("Content-Security-Policy", policyOf(page, nonce));
  // Pages show what belongs to one person at one moment.
  response.setHeader("Cache-Control", "no-store");
  response.type("html").send(renderLayout(page, person, visitOf(response)).html);
}

/**
 * Nothing from elsewhere, no inline code but ours. Chromium holds `form-action` against the redirects
 * that follow a form, too: who is to go elsewhere after a form gets a page with `continueTo`.
 */
function policyOf({ scripts = [] }: Page, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.length > 0 ? `'nonce-${nonce}'` : "'none'"}`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
