import { z } from "zod";

import { component } from "./json-schema.ts";
import { ERROR_STATUS } from "../http/refusal.ts";
import type { ErrorCode } from "../http/refusal.ts";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

export const ErrorResponse = component(
  "ErrorResponse",
  z
    .object({
      error: z.enum(CODES).describe("Stable code for programs."),
      message: z.string().describe("What to do next, for people."),
    })
    .describe("Body of every answer that is not a success."),
);
