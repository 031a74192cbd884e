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
  const readBytes = express.raw({ limit: maxKib * 1_024, type: () => true });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) =>
        error ? reject(refusalOf(error, maxKib)) : resolve(),
      );
    });
    const body: unknown = request.body;
    return Buffer.isBuffer(body) ? body : undefined;
  };
}

/** Media type without parameters, in lower case; empty without one. */
export function mediaTypeOf({ headers }: { headers: Request["headers"] }): string {
  const [mediaType = ""] = headers["content-type"]?.split(";", 1) ?? [];
  return mediaType.trim().toLowerCase();
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
