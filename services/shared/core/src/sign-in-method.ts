/** A kind of sign-in method that people can tell apart. */
export type SignInMethod = "password" | "third_party" | "message" | "passkey" | "other";
