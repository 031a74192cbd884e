import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, expect, it } from "vitest";

import { CARDS, renderCards } from "./card-html.ts";

const SITE_CSS = join(import.meta.dirname, "../../web/assets/site.css");
const CARD_CSS = join(import.meta.dirname, "../view/styles/base.css");

let cards: Map<string, string>;
beforeAll(async () => void (cards = await renderCards()));

it.each(Object.keys(CARDS))("the policy of %s allows only its own script and style", (name) => {
  const html = cards.get(`${name}.html`) ?? "";
  for (const tag of ["script", "style"]) {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(html)?.[1] ?? "";
    const digest = createHash("sha256").update(text).digest("base64");
    expect(html).toContain(`${tag}-src &#39;sha256-${digest}&#39;;`);
  }
  expect(html).toMatch(/^<!doctype html>/);
});

it("charts use the colors of the pages", () => {
  const colors = (file: string) =>
    new Map(
      readFileSync(file, "utf8")
        .matchAll(/(--chart-\w+): (.*);/g)
        .map(([, name, color]) => [name, color]),
    );
  const ofPages = colors(SITE_CSS);
  const ofCards = [...colors(CARD_CSS)];
  expect(ofCards.length).toBeGreaterThan(5);
  for (const [name, color] of ofCards) expect([name, ofPages.get(name)]).toEqual([name, color]);
});
