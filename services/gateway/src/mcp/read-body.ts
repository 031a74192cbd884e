import type { Request, Response } from "express";

import { bodyReader, mediaTypeOf } from "../http/body.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { FAULT, ProtocolFault } from "./protocol.ts";

/** Many times what a call needs. Even validating a larger body could block the process. */
const BODY_MAX_KIB = 256;

const readBytes = bodyReader(BODY_MAX_KIB);

/** The JSON value of the body. Rejects with an `HttpRefusal` or a `ProtocolFault`. */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (mediaTypeOf(request) !== "application/json") {
    throw new HttpRefusal("invalid_request", "Send the body with Content-Type: application/json.");
  }
  const body = await readBytes(request, response);
  try {
    return JSON.parse(body?.toString() ?? "");
  } catch {
    throw new ProtocolFault({
      code: FAULT.parseError,
      message: "Parse error: the body is not valid JSON",
      httpStatus: 400,
    });
  }
}
