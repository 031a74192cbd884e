import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ERROR_STATUS } from "../src/http/refusal.ts";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { readsOf } from "../src/openapi/document.ts";
import { UNKNOWN_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { AUTH_URL, BASE_URL, bearer, startFixture } from "./gateway-fixture.ts";

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

/** Resolves `reference` inside the document. */
function resolve(reference: string): unknown {
  const steps = reference.replace("#/", "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], openapi);
}

function references(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "$ref" in node && typeof node.$ref === "string" ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(references)];
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

  it("the validation in these tests rejects a document with a wrong type", () => {
    const schema = { $ref: "#/components/schemas/WeightEntry" };
    expect(fits(schema, { id: 1 })).toBe(false);
  });
});

describe("the gateway's answer", () => {
  it.each([
    ["/api/v1/me", 200],
    ["/api/v1/nutrition/summary", 200],
    ["/api/v1/food-entries", 200],
    ["/api/v1/weight-history", 200],
    ["/api/v1/food-entries?limit=0", 400],
    ["/api/v1/me", 401],
  ])("at %s with %i is documented and matches its schema", async (url, status) => {
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
