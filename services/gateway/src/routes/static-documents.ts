import type { RequestHandler } from "express";
import { Router } from "express";

import { allowOnly } from "../http/method-not-allowed.ts";
import { stateOf } from "../http/request-state.ts";

/** A document that is built once per process. */
export interface StaticDocument {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CACHE_CONTROL = "public, max-age=300";

/** Serves documents, and redirects `/` to `home`. */
export function documentRoutes(documents: readonly StaticDocument[], home: string): Router {
  const router = Router({ caseSensitive: true });
  for (const document of documents) {
    router.route(document.path).get(serve(document)).all(allowOnly("GET, HEAD", document.path));
  }
  router
    .route("/")
    .get((_request, response) => {
      stateOf(response).route = "/";
      response.redirect(home);
    })
    .all(allowOnly("GET, HEAD", "/"));
  return router;
}

function serve(document: StaticDocument): RequestHandler {
  const bytes = Buffer.from(document.body);
  return (_request, response) => {
    stateOf(response).route = document.path;
    response.statusCode = 200;
    response.setHeader("Content-Type", document.type);
    response.setHeader("Content-Length", bytes.byteLength);
    response.setHeader("Cache-Control", CACHE_CONTROL);
    for (const [name, value] of Object.entries(document.headers ?? {})) {
      response.setHeader(name, value);
    }
    response.end(bytes);
  };
}
