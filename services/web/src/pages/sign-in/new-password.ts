import type { FormErrors } from "../form-errors.ts";

const LENGTH_MIN = 8;

/** What is wrong with a new password before the identity provider is asked. */
export function newPasswordErrors(password: string): FormErrors {
  if ([...password].length >= LENGTH_MIN) return {};
  return { password: `Use at least ${LENGTH_MIN} characters.` };
}

/** What people are told when the identity provider refuses a new password, by its code. */
export const PASSWORD_REFUSALS: Readonly<Record<string, FormErrors>> = {
  weak_password: { password: "This password is too easy to guess. Choose a longer one." },
  same_password: { password: "This is your password already. Choose another one." },
};
