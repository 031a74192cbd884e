import type { Request } from "express";
import express from "express";

import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { Bearer, TokenErrorCode } from "../tokens/token-issuer.ts";

const BODY_MAX_BYTES = 65_536;

/** Parses a JSON body, whatever its content type. */
export const jsonBody = express.json({ limit: BODY_MAX_BYTES, type: () => true });

/** Parses a body in either format that the OAuth token endpoint accepts. */
export const formOrJsonBody = [
  express.json({ limit: BODY_MAX_BYTES }),
  express.urlencoded({ limit: BODY_MAX_BYTES, extended: false, parameterLimit: 50 }),
];

/** The fields of a parsed body. */
export function fieldsOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError(400, "bad_json", "Could not parse request body as JSON: not an object");
  }
  return body as Record<string, unknown>;
}

/** A field of a body as text; empty when it is missing or not a string. */
export function textOf(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/** A query parameter; the first if repeated. */
export function queryOf(request: Request, name: string): string {
  return new URL(request.originalUrl, "http://provider.invalid").searchParams.get(name) ?? "";
}

const FAULTS: Readonly<Record<TokenErrorCode, string>> = {
  bad_jwt: "invalid JWT: unable to parse or verify signature",
  session_not_found: "Session from session_id claim in JWT does not exist",
  user_not_found: "User from sub claim in JWT does not exist",
};

/** Authenticates the request's access token. Throws 401 without one, and 403 for an invalid one. */
export async function readBearer(request: Request, { tokens }: Provider): Promise<Bearer> {
  const [, token] = /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "") ?? [];
  if (token === undefined) {
    throw new ApiError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const bearer = await tokens.read(token);
  if (typeof bearer === "string") throw new ApiError(403, bearer, FAULTS[bearer]);
  return bearer;
}
