import type { PasswordRefusal } from "../../identity-provider/identity-provider.ts";
import type { FormErrors } from "../form-errors.ts";

const LENGTH_MIN = 8;

/** Checks a new password before the identity provider is called. */
export function newPasswordErrors(password: string): FormErrors {
  if ([...password].length >= LENGTH_MIN) return {};
  return { password: `Use at least ${LENGTH_MIN} characters.` };
}

/** Messages for the identity provider's refusals of a new password. */
export const PASSWORD_REFUSALS: Readonly<Record<PasswordRefusal, FormErrors>> = {
  weak_password: { password: "This password is too easy to guess. Choose a longer one." },
  same_password: { password: "This is already your password. Choose another one." },
  other: { password: "This password was not accepted. Choose another one." },
};
