import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { costlyTexts, filled, quarterOfTexts } from "@nutrition/test-support/input-cost";
import express from "express";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { PROFILE_FIELDS } from "../src/domain/profile-fields.ts";
import type { Browser } from "./browser.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

/** The server refuses longer headers, and so longer addresses. */
const HEADER_CHARACTERS = 28_000;
/** Characters of an encoded ASCII character. */
const ENCODED_MAX = 3;
const FORM_CHARACTERS = 60_000;

let web: WebFixture;
let routes: { readonly path: string; readonly methods: readonly string[] }[];
beforeAll(async () => {
  const route = vi.spyOn(express.Router.prototype, "route");
  web = await startWebFixture();
  routes = route.mock.results.map(({ value: { path, methods } }) => ({
    path: String(path).replace(/:\w+/g, "x"),
    methods: Object.keys(methods),
  }));
  route.mockRestore();
});
afterAll(() => web[Symbol.asyncDispose]());

/** Names of the fields and parameters that the pages read, from their code. */
function fieldsRead(): string[] {
  const folder = join(import.meta.dirname, "../src");
  const code = globSync("{http,pages,sessions}/**/*.ts", { cwd: folder })
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
  const named = /(?:form\w+|queryField)\(request, "([\w.]+)"|\bfield\("(\w+)"\)|\bname="([\w.]+)"/g;
  const names = [...code.matchAll(named)].flatMap(([, ...found]) => found.filter(Boolean));
  const profile = Object.keys(PROFILE_FIELDS).flatMap((name) => [name, `was.${name}`]);
  return [...new Set([...names, ...profile, "unknown"])].filter((name) => name !== "csrf");
}

const WEIGHT_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
/** Choices with which other fields are read further. */
const CHOICES: Readonly<Record<string, string>> = {
  unit: "lb",
  "weight.id": WEIGHT_ID,
  "weight.unit": "st",
  units: "kcal st ft floz",
  confirmed: "yes",
  type: "recovery",
  access: "read",
};

let visits = 0;
/** Each visit is from a network of its own, because a network may try a form only a few times. */
function fromElsewhere(): Record<string, string> {
  visits += 1;
  return { "x-forwarded-for": `10.${visits >> 8}.${visits & 255}.1` };
}

async function signedIn(): Promise<Browser> {
  return web.signIn(await web.makePerson());
}

it("no form costs more than its length", async () => {
  const names = fieldsRead();
  expect(names.length).toBeGreaterThan(60);
  const paths = routes.filter(({ methods }) => methods.includes("post")).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(20);
  const costly: Record<string, readonly string[]> = {};
  for (const [at, path] of paths.entries()) {
    const browser = await signedIn();
    const read = async (text: string) => {
      const share = filled(text, Math.ceil(text.length / names.length));
      const fields = Object.fromEntries(names.map((name) => [name, share]));
      for (const chosen of [{}, CHOICES])
        await browser.post(path, { ...fields, ...chosen }, fromElsewhere());
    };
    const found = await costlyTexts(read, FORM_CHARACTERS, quarterOfTexts(at));
    if (found.length > 0) costly[path] = found;
  }
  expect(costly).toEqual({});
}, 300_000);

it.each([
  ["a table", ""],
  ["a row", "2026-01-01,"],
  ["a weight", "2026-01-01,70"],
])("%s to import costs no more than its length", async (_, before) => {
  const browser = await signedIn();
  const read = (text: string) =>
    browser.post("/settings/profile/weights/import", { table: `${before}${text}!`, unit: "kg" });
  expect(await costlyTexts(read, FORM_CHARACTERS)).toEqual([]);
});

it.each([
  ["weight.kg", "st"],
  ["weight.kg", "kg"],
  ["weight.notes", "kg"],
])("%s of a weight in %s costs no more than its length", async (name, unit) => {
  const browser = await signedIn();
  const others = { "weight.id": WEIGHT_ID, "weight.unit": unit };
  const read = (text: string) =>
    browser.post("/settings/profile/weights", { ...others, [name]: `70${text}!` });
  expect(await costlyTexts(read, FORM_CHARACTERS)).toEqual([]);
});

it("no address costs more than its length", async () => {
  const browser = await signedIn();
  const names = fieldsRead();
  const costly: Record<string, readonly string[]> = {};
  for (const [at, { path, methods }] of routes.entries()) {
    if (!methods.includes("get")) continue;
    const read = (text: string) => {
      const share = encodeURIComponent(
        filled(text, Math.ceil(text.length / names.length / ENCODED_MAX)),
      );
      const query = names.map((name) => `${name}=${share}`).join("&");
      return browser.get(`${path}?${query.slice(0, HEADER_CHARACTERS)}`, fromElsewhere());
    };
    const found = await costlyTexts(read, HEADER_CHARACTERS, quarterOfTexts(at));
    if (found.length > 0) costly[path] = found;
  }
  expect(costly).toEqual({});
}, 300_000);

it.each(["accept-language", "content-type", "origin", "purpose", "sec-fetch-site", "x-request-id"])(
  "%s costs no more than its length",
  async (name) => {
    const read = (text: string) =>
      // Only characters that a header may have.
      web.visitor().get("/sign-in", { [name]: `en${text.replace(/[^\x20-\x7e]/g, "~")}en` });
    expect(await costlyTexts(read, HEADER_CHARACTERS)).toEqual([]);
  },
);
