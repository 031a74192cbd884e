import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { Implementation, ServerCapabilities } from "@modelcontextprotocol/server";
import { UNITS_META_KEY } from "@nutrition/core/units";

import type { Principal } from "../domain/principal.ts";
import { mayWrite } from "../domain/principal.ts";
import { instructionsFor } from "./instructions.ts";
import { membersOf } from "./members.ts";
import type { Era } from "./protocol.ts";
import { HANDSHAKE_VERSIONS, SPOKEN_VERSIONS } from "./protocol.ts";
import type { Site } from "../domain/site.ts";
import type { DisplayUnits } from "./tools/tool.ts";

const CAPABILITIES: ServerCapabilities = { tools: {}, resources: {} };

/** The name, version and icon of the server. */
export function serverInfoOf({ baseUrl }: Site): Implementation {
  return {
    name: "nutrition-journal",
    title: "Nutrition Journal",
    version: "1.0.0",
    websiteUrl: baseUrl,
    icons: [{ src: `${baseUrl}/favicon.ico`, mimeType: "image/svg+xml", sizes: ["any"] }],
  };
}

/** The server's introduction to clients of both eras. */
export class Introduction {
  readonly #serverInfo: Implementation;
  readonly #openings: Readonly<Record<Era, string>>;
  readonly #writing: string;
  readonly #readingOnly: string;

  constructor(site: Site) {
    this.#serverInfo = serverInfoOf(site);
    this.#openings = { handshake: "", modern: this.#openingOf("modern", {}) };
    this.#writing = instructionsFor({ mayWrite: true, site });
    this.#readingOnly = instructionsFor({ mayWrite: false, site });
  }

  /** The first members of a result in the message's era, each followed by a comma. */
  opening(era: Era, units?: DisplayUnits): string {
    if (units === undefined) return this.#openings[era];
    return this.#openingOf(era, { [UNITS_META_KEY]: units });
  }

  #openingOf(era: Era, meta: object): string {
    const members =
      era === "handshake"
        ? { _meta: meta }
        : {
            resultType: "complete",
            _meta: { [SERVER_INFO_META_KEY]: this.#serverInfo, ...meta },
          };
    return `${membersOf(members)},`;
  }

  /** The members of the answer to `initialize`. */
  initialized(requested: unknown, principal: Principal): string {
    const isSpoken = typeof requested === "string" && HANDSHAKE_VERSIONS.includes(requested);
    return membersOf({
      protocolVersion: isSpoken ? requested : HANDSHAKE_VERSIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: this.#serverInfo,
      instructions: this.#instructions(principal),
    });
  }

  /** The members of the answer to `server/discover`. */
  discovered(principal: Principal): string {
    return membersOf({
      supportedVersions: SPOKEN_VERSIONS,
      capabilities: CAPABILITIES,
      instructions: this.#instructions(principal),
    });
  }

  #instructions(principal: Principal): string {
    return mayWrite(principal) ? this.#writing : this.#readingOnly;
  }
}
