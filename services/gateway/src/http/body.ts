import type { Request, Response } from "express";
import express from "express";

import { HttpRefusal } from "./refusal.ts";

/**
 * Reads bodies of up to `maxKib` KiB, plain or compressed; undefined without a body. Rejects with
 * the refusals `payload_too_large` and `invalid_request`.
 */
export function bodyReader(
  maxKib: number,
): (request: Request, response: Response) => Promise<Buffer | undefined> {
  const maxBytes = maxKib * 1_024;
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return async (request, response) => {
    const arrived = takeArrived(request, maxBytes);
    if (arrived) return arrived;
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) =>
        error ? reject(refusalOf(error, maxKib)) : resolve(),
      );
    });
    const body: unknown = request.body;
    return Buffer.isBuffer(body) ? body : undefined;
  };
}

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
  return new HttpRefusal(
    "invalid_request",
    "The body could not be read. Send it complete, uncompressed or with gzip.",
  );
}
