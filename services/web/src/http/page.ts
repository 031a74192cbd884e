import type { Response } from "express";

import type { Person } from "../clients/person.ts";
import type { Content } from "./layout.ts";
import { renderLayout } from "./layout.ts";
import { visitOf } from "./visit.ts";

/** Content and properties of a page. */
export interface Page extends Content {
  /** 200 by default. */
  readonly status?: number;
}

/** Responds with a page; `person` is the signed-in person, for the navigation. */
export function sendPage(response: Response, person: Person | undefined, page: Page): void {
  const { nonce } = visitOf(response);
  response.status(page.status ?? 200);
  response.setHeader("Content-Security-Policy", policyOf(page, nonce));
  // Pages contain one person's current data.
  response.setHeader("Cache-Control", "no-store");
  response.type("html").send(renderLayout(page, person, visitOf(response)).html);
}

/**
 * Allows only our own resources and inline code. Chromium also applies `form-action` to redirects
 * after a form, so a form that leads elsewhere responds with a page with `continueTo`.
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
