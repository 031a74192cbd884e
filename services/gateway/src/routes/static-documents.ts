import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

import type { RequestHandler } from "express";
import { Router } from "express";

import { allowOnly } from "../http/method-not-allowed.ts";
import { contentCodingFor } from "../http/accept-encoding.ts";
import { COMPRESSED_FROM_BYTES } from "../http/send.ts";
import { stateOf } from "../http/request-state.ts";

/** A document that is built once per process. */
export interface StaticDocument {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ETAG_CHARACTERS = 27;
const CACHE_CONTROL = "public, max-age=300";

/** Serves documents. */
export function documentRoutes(documents: readonly StaticDocument[]): Router {
  const router = Router({ caseSensitive: true });
  for (const document of documents) {
    router.route(document.path).get(serve(document)).all(allowOnly("GET, HEAD", document.path));
  }
  return router;
}

/** Redirects `/` to the reference if there are no pages. */
export function homeRoute(home: string): Router {
  const router = Router({ caseSensitive: true });
  router
    .route("/")
    .get((_request, response) => {
      stateOf(response).route = "/";
      response.redirect(home);
    })
    .all(allowOnly("GET, HEAD", "/"));
  return router;
}

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Compresses lazily: compressing all documents at the highest level would delay the start by a second. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

function serve(document: StaticDocument): RequestHandler {
  const bytes = Buffer.from(document.body);
  const isSmall = bytes.byteLength < COMPRESSED_FROM_BYTES;
  const compressed = { br: once(() => COMPRESS.br(bytes)), gzip: once(() => COMPRESS.gzip(bytes)) };
  // Weak: the same content in several encodings.
  const etag = `W/"${hash("sha256", bytes, "base64url").slice(0, ETAG_CHARACTERS)}"`;
  return async (request, response) => {
    stateOf(response).route = document.path;
    response.statusCode = 200;
    response.setHeader("Cache-Control", CACHE_CONTROL);
    response.setHeader("ETag", etag);
    response.appendHeader("Vary", "Accept-Encoding");
    // Also on a 304, because browsers replace their stored headers with its headers.
    for (const [name, value] of Object.entries(document.headers ?? {})) {
      response.setHeader(name, value);
    }
    if (request.fresh) return void response.status(304).end();
    response.setHeader("Content-Type", document.type);
    const coding = isSmall ? undefined : contentCodingFor(request.headers["accept-encoding"]);
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    const body = coding === undefined ? bytes : await compressed[coding]();
    response.setHeader("Content-Length", body.byteLength);
    response.end(body);
  };
}
