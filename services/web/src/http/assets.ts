import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

import type { Response, Router } from "express";
import express from "express";

import { visitOf } from "./visit.ts";

const FOLDER = join(import.meta.dirname, "../../assets");
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Loaded by every page, in this order; the frame is first. */
export const STYLE_SHEETS = [
  "site.css",
  "forms.css",
  "sign-in.css",
  "settings.css",
  "journal.css",
  "items.css",
  "trends.css",
  "start.css",
  "print.css",
];

interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  /** Depends on the content, so that browsers may cache the file forever. */
  readonly version: string;
}

const uplotFile = createRequire(import.meta.url).resolve("uplot/dist/uPlot.iife.min.js");

/** Files that pages load, all our own or from dependencies. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ...[...STYLE_SHEETS, "icon.svg", "start.svg", "copy.js", "charts.js", "timezone.js"].map((name) =>
    entry(name, join(FOLDER, name)),
  ),
  entry("uplot.js", uplotFile),
]);

function entry(name: string, file: string): [string, Asset] {
  const bytes = readFileSync(file);
  const version = hash("sha256", bytes, "hex").slice(0, 12);
  return [name, { bytes, type: TYPES[extname(name)]!, version }];
}

/** Path of a file in `assets/`, with its version. */
export function assetPath(name: string): string {
  const asset = ASSETS.get(name);
  if (!asset) throw new Error(`There is no asset "${name}".`);
  return `/assets/${name}?v=${asset.version}`;
}

/** Serves the files, ahead of anything that depends on a person. */
export function assetRoutes(): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/assets/:name", (request, response, next) => {
    const asset = ASSETS.get(request.params.name);
    if (!asset) return next();
    visitOf(response).route = "/assets/:name";
    send(response, asset, "max-age=31536000, immutable");
  });
  // Path that clients request without having read a page.
  router.get("/favicon.ico", (_request, response) => {
    visitOf(response).route = "/favicon.ico";
    send(response, ASSETS.get("icon.svg")!, "max-age=86400");
  });
  return router;
}

function send(response: Response, { type, bytes }: Asset, lifetime: string): void {
  // Caches may share the response, so it must not contain the form secret of one browser.
  response.removeHeader("Set-Cookie");
  response.setHeader("Content-Type", type);
  response.setHeader("Cache-Control", `public, ${lifetime}`);
  response.send(bytes);
}
