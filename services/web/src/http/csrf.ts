import { randomBytes, timingSafeEqual } from "node:crypto";

import { Failure } from "@nutrition/core/failure";
import { parseCookie, stringifySetCookie } from "cookie";
import type { Request, RequestHandler, Response } from "express";

import { formField } from "./form.ts";
import { visitOf } from "./visit.ts";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Protects against cross-site form submissions: the browser's origin headers must match, and the
 * form must repeat a secret shared by this browser and this site.
 */
export class CsrfTokens {
  readonly #origin: string;
  readonly #isHttps: boolean;

  /** `baseUrl` is the address under which people see the pages. */
  constructor(baseUrl: string) {
    this.#origin = new URL(baseUrl).origin;
    this.#isHttps = baseUrl.startsWith("https:");
  }

  /** Returns this browser's token, creating one if needed. */
  tokenFor(request: Request, response: Response): string {
    const present = parseCookie(request.headers.cookie ?? "")[this.#cookieName];
    if (present !== undefined && TOKEN.test(present)) return present;
    const token = randomBytes(32).toString("base64url");
    const attributes = {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: this.#isHttps,
    } as const;
    response.append(
      "Set-Cookie",
      stringifySetCookie({ name: this.#cookieName, value: token, ...attributes }),
    );
    return token;
  }

  /** Middleware that accepts only submissions of our own forms. */
  protect(): RequestHandler {
    return (request, response, next) => {
      if (["GET", "HEAD"].includes(request.method)) return next();
      const isOurs =
        this.#comesFromUs(request) &&
        repeats(formField(request, "csrf"), visitOf(response).csrfToken);
      if (isOurs) return next();
      throw new Failure(
        "permission_denied",
        "FORM_NOT_TRUSTED",
        "This form has expired or did not come from this site. Go back, reload the page and try again.",
      );
    };
  }

  #comesFromUs(request: Request): boolean {
    const site = request.get("sec-fetch-site");
    if (site !== undefined) return site === "same-origin";
    const origin = request.get("origin");
    return origin === undefined || origin === this.#origin;
  }

  get #cookieName(): string {
    return `${this.#isHttps ? "__Host-" : ""}nutrition-csrf`;
  }
}

function repeats(given: string, expected: string): boolean {
  return TOKEN.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
