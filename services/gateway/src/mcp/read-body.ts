import type { Request, Response } from "express";

import { bodyReader, mediaTypeOf } from "../http/body.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { FAULT, ProtocolFault } from "./protocol.ts";

/** Many times what a call needs. Even validating a larger body could block the process. */
const BODY_MAX_KIB = 256;

const readBytes = bodyReader(BODY_MAX_KIB);

/** The bytes of a body, or why they were not read. */
export type ReceivedBody = Buffer | undefined | HttpRefusal;

/** Reads the whole body. Never rejects: the request is counted, whatever its body. */
export async function receiveBody(request: Request, response: Response): Promise<ReceivedBody> {
  if (mediaTypeOf(request) !== "application/json") {
    return new HttpRefusal("invalid_request", "Send the body with Content-Type: application/json.");
  }
  return readBytes(request, response).catch((refusal: HttpRefusal) => refusal);
}

/** The JSON value of the body. Throws its refusal or a `ProtocolFault`. */
export function parseBody(received: ReceivedBody): unknown {
  if (received instanceof HttpRefusal) throw received;
  try {
    return JSON.parse(received?.toString() ?? "");
  } catch {
    throw new ProtocolFault({
      code: FAULT.parseError,
      message: "Parse error: the body is not valid JSON",
      httpStatus: 400,
    });
  }
}
