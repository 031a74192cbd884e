import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { GatewayFixture } from "./gateway-fixture.ts";
import { AUTH_URL, startFixture } from "./gateway-fixture.ts";

const METADATA = "/.well-known/oauth-protected-resource/mcp";

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** `fetch` sets Host itself. */
function get(fixture: GatewayFixture, path: string, host: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${fixture.gateway.url}${path}`, { headers: { host } }, (response) => {
      const read = async () => {
        const text = (await response.toArray()).join("");
        resolve({ headers: response.headers, body: JSON.parse(text) as Reply["body"] });
      };
      read().catch(reject);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

describe.each(["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])(
  "an installation at http://127.0.0.1:3000, called as %s",
  (host) => {
    let fixture: GatewayFixture;
    beforeAll(async () => {
      fixture = await startFixture({ config: { baseUrl: "http://127.0.0.1:3000" } });
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    it("describes itself as the resource that the client typed, uncached", async () => {
      const { body, headers } = await get(fixture, METADATA, host);
      expect(body).toMatchObject({
        resource: `http://${host}/mcp`,
        authorization_servers: [AUTH_URL],
      });
      expect(headers).toMatchObject({
        vary: expect.stringContaining("Host"),
        "cache-control": "no-store",
      });
    });

    it("leads to that description from a 401", async () => {
      const { headers } = await get(fixture, "/api/v1/me", host);
      expect(headers["www-authenticate"]).toContain(
        `resource_metadata="http://${host}${METADATA}"`,
      );
    });
  },
);

describe("a public installation", () => {
  const baseUrl = "https://food.example.com";

  it.each(["localhost", "127.0.0.1:3000", "evil.example"])(
    "keeps its address whatever the Host (%s), and may be cached",
    async (host) => {
      await using fixture = await startFixture({ config: { baseUrl } });
      const { body, headers } = await get(fixture, METADATA, host);
      expect(body).toMatchObject({ resource: `${baseUrl}/mcp` });
      expect(headers["cache-control"]).toBe("public, max-age=300");
      const refused = await get(fixture, "/api/v1/me", host);
      expect(refused.headers["www-authenticate"]).toContain(`"${baseUrl}${METADATA}"`);
    },
  );
});
