import type { Request, Response } from "express";
import express from "express";

import { HttpRefusal } from "../http/refusal.ts";
import { FAULT, ProtocolFault } from "./protocol.ts";

/** Many times what a call needs; a larger one could keep the process busy just by being checked. */
const BODY_MAX_BYTES = 262_144;

const readBytes = express.raw({ limit: BODY_MAX_BYTES, type: () => true });

/** The JSON value of the body. Rejects with an `HttpRefusal` or a `ProtocolFault`. */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (!isJson(request)) {
    throw new HttpRefusal("invalid_request", "Send the body with Content-Type: application/json.");
  }
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) =>
      error ? reject(refusalOf(error)) : resolve(),
    );
  });
  return parseJson(request.body);
}

/** `body` is no buffer when the request had none. */
function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString() : "");
  } catch {
    throw new ProtocolFault({
      code: FAULT.parseError,
      message: "Parse error: the body is not valid JSON",
      httpStatus: 400,
    });
  }
}

function isJson({ headers }: { headers: Request["headers"] }): boolean {
  const [mediaType = ""] = headers["content-type"]?.split(";", 1) ?? [];
  return mediaType.trim().toLowerCase() === "application/json";
}

/** `type` is how Express names what it refuses. */
function refusalOf(error: unknown): HttpRefusal {
  if (error instanceof Error && "type" in error && error.type === "entity.too.large") {
    return new HttpRefusal("payload_too_large", "The body may have at most 256 KiB. Send less.");
  }
  return new HttpRefusal(
    "invalid_request",
    "The body cannot be read. Send it whole, as UTF-8 JSON, plain or with gzip.",
  );
}
