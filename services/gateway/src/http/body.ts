import { networkOf } from "@nutrition/core/network";
import { Places } from "@nutrition/core/places";
import { untilClosed } from "@nutrition/service/until-closed";
import type { Request, RequestHandler, Response } from "express";
import express from "express";

import { HttpRefusal } from "./refusal.ts";

/** Bodies that are arriving, which bounds the memory of this process for them. */
export const BODIES_ARRIVING_MAX = 512;
/** The same of a client's network. */
export const BODIES_PER_NETWORK_MAX = 64;

const arriving = new Places({ max: BODIES_ARRIVING_MAX, maxPerKey: BODIES_PER_NETWORK_MAX });

/**
 * Reads bodies of up to `maxKib` KiB, plain or compressed; undefined without a body. Rejects with
 * the refusals `payload_too_large` and `invalid_request`. A body that makes room for others' loses its connection.
 */
export function bodyReader(
  maxKib: number,
): (request: Request, response: Response) => Promise<Buffer | undefined> {
  const maxBytes = maxKib * 1_024;
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return async (request, response) => {
    const arrived = takeArrived(request, maxBytes);
    if (arrived) return arrived;
    const place = arriving.enter(networkOf(request.ip ?? ""), () => request.destroy());
    await new Promise<void>((resolve, reject) => {
      // Decompression would wait for the rest of an aborted body.
      void untilClosed(response).then(() => reject(UNREADABLE));
      readBytes(request, response, (error?: unknown) =>
        error ? reject(refusalOf(error, maxKib)) : resolve(),
      );
    }).finally(place.leave);
    const body: unknown = request.body;
    return Buffer.isBuffer(body) ? body : undefined;
  };
}

/** Middleware that sets `request.body`, to be passed on. GET and HEAD have no body; with one, they are refused. */
export function receiveBody(maxKib: number): RequestHandler {
  const read = bodyReader(maxKib);
  return async (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") await read(request, response);
    else if (hasBody(request)) throw UNEXPECTED;
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

const UNEXPECTED = new HttpRefusal(
  "invalid_request",
  "GET and HEAD requests must not have a body. Send it with POST, or leave it out.",
  { headers: { Connection: "close" } },
);

/**
 * The body if all of it is already here: short ones arrive together with the headers. Waiting for the events of a
 * stream would cost more than parsing it. Like Express, also sets `request.body`.
 */
function takeArrived(request: Request, maxBytes: number): Buffer | undefined {
  const { headers, readableLength } = request;
  const isPlain = headers["content-encoding"] === undefined;
  const isWhole = readableLength > 0 && headers["content-length"] === String(readableLength);
  if (!isPlain || !isWhole || readableLength > maxBytes) return undefined;
  const body = request.read() as Buffer;
  request.body = body;
  return body;
}

/** Media type without parameters, in lower case; empty without one. */
export function mediaTypeOf({ headers }: { headers: Request["headers"] }): string {
  const { "content-type": type = "" } = headers;
  const end = type.indexOf(";");
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

/** `type` is Express's name for the error. */
function refusalOf(error: unknown, maxKib: number): HttpRefusal {
  if (error instanceof Error && "type" in error && error.type === "entity.too.large") {
    const message = `The body must be at most ${maxKib} KiB.`;
    return new HttpRefusal("payload_too_large", message);
  }
  return UNREADABLE;
}

const UNREADABLE = new HttpRefusal(
  "invalid_request",
  "The body could not be read. Send it complete, uncompressed or with gzip.",
);
