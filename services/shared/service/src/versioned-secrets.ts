import { SIGNING_VERSION_MAX } from "@nutrition/core/key-signing";
import { z } from "zod";

import { json } from "./config.ts";

const SECRET_BYTES_MIN = 32;

const secret = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length >= SECRET_BYTES_MIN);

const version = z
  .string()
  .regex(/^[1-9]\d*$/)
  .refine((text) => Number(text) <= SIGNING_VERSION_MAX);

/** Secrets by version (1 to 255) as JSON with base64 of at least 32 bytes, such as `{"1":"…"}`. */
export const versionedSecrets: z.ZodType<Map<number, Buffer>, string> = json(
  z
    .record(version, secret)
    .transform(
      (secrets) => new Map(Object.entries(secrets).map(([key, bytes]) => [Number(key), bytes])),
    ),
);
