import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ERROR_STATUS } from "../src/http/refusal.ts";
import { TOOL_ERROR_STATUS } from "../src/mcp/tool-error.ts";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { readsOf } from "../src/openapi/document.ts";
import { UNKNOWN_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { AUTH_URL, BASE_URL, bearer, startFixture } from "./gateway-fixture.ts";
import { older, post } from "./mcp-fixture.ts";

let fixture: GatewayFixture;
let openapi: OpenApiDocument;
beforeAll(async () => {
  fixture = await startFixture();
  openapi = (await fixture.get("/openapi.json", {})).body as OpenApiDocument;
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Whether a value matches a schema of the document. */
function fits(schema: object, value: unknown): boolean {
  const ajv = new AjvJsonSchemaValidator();
  const document: Record<string, unknown> = { ...schema, components: openapi.components };
  return ajv.getValidator(document)(value).valid;
}

/** What `reference` points at inside the document. */
function resolve(reference: string): unknown {
  const steps = reference.replace("#/", "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], openapi);
}

function references(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "$ref" in node && typeof node.$ref === "string" ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(references)];
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object };
}

interface JsonContent {
  readonly content: {
    readonly "application/json": {
      readonly schema: object;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value: { error: string } }>>;
    };
  };
}

describe("the machine-readable description", () => {
  it("is OpenAPI 3.1, version 1.0.0, of this address", () => {
    expect(openapi).toMatchObject({
      openapi: "3.1.0",
      info: { version: "1.0.0" },
      servers: [{ url: BASE_URL }],
      security: [{ bearerKey: [] }, { headerKey: [] }, { oauth: expect.any(Array) }],
    });
    expect(Object.keys(openapi.components.securitySchemes)).toEqual([
      "bearerKey",
      "headerKey",
      "oauth",
    ]);
  });

  it("describes the four reads, the tool endpoint and the report of leaked keys", () => {
    expect(Object.keys(openapi.paths)).toEqual([
      "/api/v1/nutrition/summary",
      "/api/v1/food-entries",
      "/api/v1/me",
      "/api/v1/weight-history",
      "/mcp",
      "/keys/report-leak",
    ]);
  });

  it("contains no dangling reference", () => {
    const all = references(openapi);
    expect(all.length).toBeGreaterThan(50);
    for (const reference of all) expect(resolve(reference), reference).toBeDefined();
  });

  it("gives parameters their bounds and defaults", () => {
    const parameters = openapi.paths["/api/v1/food-entries"]?.get?.parameters;
    expect(parameters).toMatchObject([
      { name: "start_date", schema: { format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } },
      { name: "end_date", schema: { format: "date" } },
      { name: "limit", schema: { type: "integer", minimum: 1, maximum: 90, default: 14 } },
    ]);
  });

  it("has an example of every error code, each matching the error schema", () => {
    const documented = Object.values(openapi.components.responses).flatMap((response) => {
      const { schema, examples = {} } = (response as JsonContent).content["application/json"];
      for (const { value } of Object.values(examples)) expect(fits(schema, value)).toBe(true);
      return Object.keys(examples);
    });
    expect(documented.sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it("has examples of the reads that match their schemas", () => {
    for (const [path, { responses }] of readsOf(openapi)) {
      const ok = responses["200"] as unknown as JsonContent;
      const { schema, example } = ok.content["application/json"];
      expect(fits(schema, example), path).toBe(true);
      expect(fits(schema, {}), path).toBe(false);
    }
  });

  it("the validation used here rejects a document with a wrong type", () => {
    const schema = { $ref: "#/components/schemas/WeightEntry" };
    expect(fits(schema, { id: 1 })).toBe(false);
  });
});

describe("what the gateway answers", () => {
  it.each([
    ["/api/v1/me", 200],
    ["/api/v1/nutrition/summary", 200],
    ["/api/v1/food-entries", 200],
    ["/api/v1/weight-history", 200],
    ["/api/v1/food-entries?limit=0", 400],
    ["/api/v1/me", 401],
  ])("at %s with %i is documented and matches", async (url, status) => {
    const answer = await fixture.get(url, status === 401 ? bearer(UNKNOWN_KEY) : undefined);
    expect(answer.status).toBe(status);
    const path = url.split("?")[0] ?? "";
    const documented = openapi.paths[path]?.get?.responses[String(status)];
    const reference = documented?.["$ref"];
    const response = (
      typeof reference === "string" ? resolve(reference) : documented
    ) as JsonContent;
    expect(fits(response.content["application/json"].schema, answer.body)).toBe(true);
  });
});

describe("the reference page", () => {
  it("is one document that allows only its own style", async () => {
    const { status, headers, text } = await fixture.get("/docs", {});
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? "";
    const digest = createHash("sha256").update(style).digest("base64");
    expect(headers.get("content-security-policy")).toContain(`style-src 'sha256-${digest}'`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).not.toMatch(/<(script|link|img|iframe)\b| style=| on[a-z]+=/);
  });

  it("contains every path, parameter, code and schema", async () => {
    const { text } = await fixture.get("/docs", {});
    for (const [path, { parameters = [] }] of readsOf(openapi)) {
      expect(text).toContain(path);
      for (const { name } of parameters) expect(text).toContain(`<code>${name}</code>`);
    }
    for (const code of Object.keys(ERROR_STATUS)) expect(text).toContain(code);
    for (const name of Object.keys(openapi.components.schemas)) {
      expect(text).toContain(`id="shape-${name}"`);
    }
  });

  it("describes every tool with its inputs, and every tool error", async () => {
    const { text } = await fixture.get("/docs", {});
    const { body } = await post(fixture, older("tools/list"));
    const { tools } = (body as { result: { tools: ListedTool[] } }).result;
    expect(tools).toHaveLength(8);
    for (const { name, inputSchema } of tools) {
      expect(text).toContain(`id="tool-${name}"`);
      for (const input of Object.keys(inputSchema.properties)) {
        expect(text).toContain(`<code>${input}</code>`);
      }
    }
    for (const error of Object.keys(TOOL_ERROR_STATUS)) {
      expect(text).toContain(`<code>${error}</code>`);
    }
  });

  it("links only to existing places", async () => {
    const { text } = await fixture.get("/docs", {});
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => String(link));
    for (const link of links) {
      if (link.startsWith("#")) expect(text).toContain(`id="${link.slice(1)}"`);
      else expect(await fixture.get(link, {})).toMatchObject({ status: 200 });
    }
  });

  it("is where / redirects", async () => {
    const answer = await fixture.get("/", {});
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/docs");
  });
});

describe("the protected-resource metadata", () => {
  it.each(["", "/mcp"])("at the root and %s names the tool endpoint", async (suffix) => {
    const answer = await fixture.get(`/.well-known/oauth-protected-resource${suffix}`, {});
    expect(answer.body).toMatchObject({
      resource: `${BASE_URL}/mcp`,
      resource_name: "Nutrition Journal",
      authorization_servers: [AUTH_URL],
      scopes_supported: ["openid", "email", "profile"],
      bearer_methods_supported: ["header"],
    });
  });

  it("names no authorization server without one", async () => {
    await using own = await startFixture({ config: { authUrl: undefined } });
    const { body } = await own.get("/.well-known/oauth-protected-resource", {});
    expect(body).not.toHaveProperty("authorization_servers");
    const { body: description } = await own.get("/openapi.json", {});
    expect(description).toMatchObject({ security: [{ bearerKey: [] }, { headerKey: [] }] });
  });
});
