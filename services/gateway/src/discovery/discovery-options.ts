import type { Site } from "../domain/site.ts";

/** Facts that an installation publishes about itself. */
export interface DiscoveryOptions {
  readonly site: Site;
  readonly privacyUrl?: string | undefined;
  readonly openAiChallenge?: string | undefined;
}
