import { Failure } from "@nutrition/core/failure";

/** The failure for a provider that is unreachable or sends an unexpected response. */
export function providerUnavailable(cause: unknown): Failure {
  return new Failure(
    "unavailable",
    "IDENTITY_PROVIDER_UNAVAILABLE",
    "The sign-in service is not responding. Try again in a minute.",
    { cause },
  );
}
