import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { changelogChapter } from "../src/docs/chapters/changelog.ts";
import { DOCS } from "../src/docs/paths.ts";
import { describeToolError, mayRefuse } from "../src/docs/tool-errors.ts";
import { ERROR_STATUS } from "../src/http/refusal.ts";
import { TOOL_ERROR_STATUS } from "../src/mcp/tool-error.ts";
import type { ToolErrorCode } from "../src/mcp/tool-error.ts";
import { TOOL_OPERATIONS } from "../src/operations/operations.ts";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { readsOf } from "../src/openapi/document.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { startFixture } from "./gateway-fixture.ts";

const PATHS = Object.values(DOCS);
const PAGE_BYTES_MAX = 150_000;

let fixture: GatewayFixture;
let openapi: OpenApiDocument;
const pages = new Map<string, string>();
beforeAll(async () => {
  fixture = await startFixture();
  openapi = (await fixture.get("/openapi.json", {})).body as OpenApiDocument;
  for (const path of PATHS) pages.set(path, (await fixture.get(path, {})).text);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const page = (path: string) => pages.get(path) ?? "";

describe("the pages below /docs", () => {
  it.each(PATHS)(
    "%s loads only the gateway's own files, and is at most 150 kB with them",
    async (path) => {
      const { status, headers, text } = await fixture.get(path, {});
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = headers.get("content-security-policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(text).not.toMatch(/<(img|iframe|style)\b| style=| on[a-z]+=|<script>/);
      const files = [...text.matchAll(/(?:<script[^>]* src|<link[^>]* href)="([^"]+)"/g)];
      expect(files.length).toBeGreaterThan(3);
      let bytes = Buffer.byteLength(text);
      for (const [, file = ""] of files) {
        expect(file).toMatch(/^\/docs\/[a-z]+\.(css|js)$/);
        const loaded = await fixture.get(file, {});
        expect(loaded.status, file).toBe(200);
        bytes += Buffer.byteLength(loaded.text);
      }
      expect(bytes).toBeLessThan(PAGE_BYTES_MAX);
    },
  );

  it("link to each other, and have no broken links", async () => {
    for (const [from, text] of pages) {
      for (const path of PATHS) expect(text, from).toContain(`href="${path}"`);
      for (const [, link = ""] of text.matchAll(/href="(\/docs[^".]*|#[^"]*)"/g)) {
        const [path = "", anchor] = link.split("#");
        const target = page(path === "" ? from : path);
        expect(target, `${from} links to ${link}`).not.toBe("");
        if (anchor !== undefined) expect(target, link).toContain(`id="${anchor}"`);
      }
    }
  });

  it("have no duplicate anchors", () => {
    for (const [path, text] of pages) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, path).toBe(ids.length);
    }
  });

  it("can be searched: the index leads to every section of every chapter", async () => {
    const { body } = await fixture.get("/docs/search.json", {});
    const places = body as { title: string; url: string; text: string }[];
    for (const [path, text] of pages) {
      for (const [, id] of text.matchAll(/<h2 id="([^"]+)"/g)) {
        expect(places.map(({ url }) => url)).toContain(`${path}#${id}`);
      }
    }
    expect(places.find(({ url }) => url === "/docs/limits#limits")?.text).toContain(
      "120 in 1 hour",
    );
    expect(JSON.stringify(places)).not.toMatch(/<\/?[a-z]+>|&[a-z]+;/);
  });

  it("are the target of / without the web service", async () => {
    const answer = await fixture.get("/", {});
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/docs");
  });
});

describe("the documentation matches the code in", () => {
  it("every path, parameter and shape", () => {
    for (const [path, { parameters = [] }] of readsOf(openapi)) {
      expect(page(DOCS.rest)).toContain(path);
      for (const { name } of parameters) expect(page(DOCS.rest)).toContain(`<code>${name}</code>`);
    }
    for (const name of Object.keys(openapi.components.schemas)) {
      expect(page(DOCS.rest)).toContain(`id="shape-${name}"`);
    }
  });

  it("every error code, of HTTP and of tools", () => {
    for (const code of Object.keys(ERROR_STATUS)) {
      expect(page(DOCS.limits)).toContain(`<code>${code}</code>`);
    }
    for (const code of Object.keys(TOOL_ERROR_STATUS)) {
      expect(page(DOCS.assistants)).toContain(`<code>${code}</code>`);
    }
  });

  it("every tool, with its inputs, the members of its result, and its example", () => {
    for (const { name, input, output } of TOOL_OPERATIONS) {
      const text = page(DOCS.assistants);
      const section = text.slice(text.indexOf(`<h2 id="tool-${name}"`)).split("</section>")[0];
      const members = (shape: unknown) => Object.keys((shape as { shape: object }).shape);
      const isDocument = /<h3>Result<\/h3>\s*<p><a href="\/docs\/rest#shape-/.test(section ?? "");
      for (const member of [...members(input), ...(isDocument ? [] : members(output))]) {
        expect(section, name).toContain(`<code>${member}</code>`);
      }
      expect(section).toContain("params of tools/call");
    }
  });

  it.each(TOOL_OPERATIONS.map((tool) => [tool.name, tool] as const))(
    "the example of %s is a valid call with a valid result",
    (_name, { input, output, example }) => {
      expect(input.safeParse(example.input).error).toBeUndefined();
      expect(output.safeParse(example.output).error).toBeUndefined();
    },
  );

  it("every tool error is of some tool, and none refuses reads for a missing permission", () => {
    for (const code of Object.keys(TOOL_ERROR_STATUS) as ToolErrorCode[]) {
      expect(describeToolError(code).tools, code).not.toBe("");
    }
    for (const tool of TOOL_OPERATIONS) {
      expect(mayRefuse(tool, "insufficient_scope"), tool.name).toBe(tool.kind === "write");
    }
    expect(describeToolError("analysis_failed").tools).toBe("log_food, edit_food_item");
  });
});

describe("the changelog", () => {
  it("has a section for each version, and shows markup of entries as text", () => {
    const { sections } = changelogChapter(
      "# Changelog\n\n## [1.2.0] - 2026-11-21\n\n### Fixed\n\n- `a<b>` is\n  **really** [read](docs/a.md).\n",
    );
    expect(sections).toMatchObject([{ id: "1.2.0-2026-11-21", title: "1.2.0 - 2026-11-21" }]);
    expect(sections[0]?.body.html).toContain(
      "<li><code>a&lt;b&gt;</code> is <strong>really</strong> read.</li>",
    );
  });
});
