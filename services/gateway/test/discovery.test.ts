import { ImplementationSchema } from "@modelcontextprotocol/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { GatewayConfig } from "../src/config.ts";
import { SUPPORT, startFixture } from "./gateway-fixture.ts";
import { postModern } from "./mcp-fixture.ts";

const PRIVACY_URL = "https://example.com/privacy";

/** A remote server in the registry, by its schema of 2025-12-11. */
const RegistryEntry = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: z.url(),
  icons: z.array(
    z.strictObject({
      src: z.url({ protocol: /^https$/ }).max(255),
      mimeType: z.enum(["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]),
      sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
    }),
  ),
  remotes: z.array(z.strictObject({ type: z.literal("streamable-http"), url: z.url() })),
});

async function get(path: string, config: Partial<GatewayConfig> = {}) {
  await using fixture = await startFixture({ config });
  return await fixture.get(path, {});
}

describe("an installation can be discovered", () => {
  it("in the MCP registry: its entry has the reversed host and the endpoint", async () => {
    const { body } = await get("/server.json", { baseUrl: "https://food.example.com" });
    expect(body).toMatchObject({
      name: "com.example.food/nutrition-journal",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      websiteUrl: "https://food.example.com",
      remotes: [{ type: "streamable-http", url: "https://food.example.com/mcp" }],
    });
    expect(RegistryEntry.safeParse(body).error).toBeUndefined();
  });

  it("by models: /llms.txt names the interfaces, the support and the privacy policy", async () => {
    const { headers, text } = await get("/llms.txt", { privacyUrl: PRIVACY_URL });
    expect(headers.get("content-type")).toContain("text/plain");
    for (const told of ["# Nutrition Journal", "/mcp", "/openapi.json", SUPPORT, PRIVACY_URL]) {
      expect(text).toContain(told);
    }
  });

  it("with a privacy page that names the support, and the operator's policy if there is one", async () => {
    const bare = await get("/privacy");
    expect(bare.headers.get("content-type")).toContain("text/html");
    expect(bare.text).toContain(SUPPORT);
    expect(bare.text).not.toContain("Their policy");
    const own = await get("/privacy", { privacyUrl: PRIVACY_URL });
    expect(own.text).toContain(`<a href="${PRIVACY_URL}">`);
  });

  it("by OpenAI, with its challenge; the page exists only if one is configured", async () => {
    const path = "/.well-known/openai-apps-challenge";
    expect(await get(path, { openAiChallenge: "proof-1" })).toMatchObject({ text: "proof-1" });
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  it("by its title and icon, in every introduction", async () => {
    await using fixture = await startFixture();
    const { body } = await postModern(fixture, { method: "server/discover" });
    const { result } = body as { result: { _meta: Record<string, unknown> } };
    const { _meta: meta } = result;
    const info = ImplementationSchema.parse(meta["io.modelcontextprotocol/serverInfo"]);
    expect(info).toMatchObject({
      title: "Nutrition Journal",
      icons: [{ src: expect.stringMatching(/\/favicon\.ico$/) as string }],
    });
  });
});
