import { z } from "zod";

import { ApiError } from "../errors.ts";
import { PASSWORD_MAX_BYTES, PASSWORD_MIN } from "../tokens/passwords.ts";

const METADATA_MAX_BYTES = 8_192;

/** Validates a new password. Throws 422 for one that is not allowed. */
export function checkPassword(value: unknown): string {
  const password = typeof value === "string" ? value : "";
  if (password.length < PASSWORD_MIN) {
    const message = `Password should be at least ${PASSWORD_MIN} characters.`;
    throw new ApiError(422, "weak_password", message, { weak_password: { reasons: ["length"] } });
  }
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    const message = `Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`;
    throw new ApiError(400, "validation_failed", message);
  }
  return password;
}

/** Validates an e-mail address. Throws 400 for an invalid one. */
export function checkEmail(value: unknown): string {
  const { success, data } = z.email().max(255).safeParse(value);
  if (!success) {
    const message = "Unable to validate email address: invalid format";
    throw new ApiError(400, "validation_failed", message);
  }
  return data;
}

/** Reads the person's own profile data, the field `data` of the body. */
export function readMetadata({ data }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (data === undefined || data === null) return {};
  if (typeof data !== "object" || JSON.stringify(data).length > METADATA_MAX_BYTES) {
    throw new ApiError(400, "validation_failed", "data must be a small object");
  }
  return data as Record<string, unknown>;
}
