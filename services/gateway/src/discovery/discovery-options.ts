import type { Site } from "../domain/site.ts";

/** What an installation says of itself. */
export interface DiscoveryOptions {
  readonly site: Site;
  readonly privacyUrl?: string | undefined;
  readonly openAiChallenge?: string | undefined;
}
