import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import packageJson from "../../package.json" with { type: "json" };
import { readComposeFile } from "../compose/compose-file.ts";
import { CHART, isWithoutHelm, render } from "../helm/helm.ts";
import { podsOf } from "../helm/pods.ts";
import { readDockerfile } from "./dockerfile.ts";
import { IMAGES } from "./names.ts";

const COMPOSED = "nutrition-journal/";
const RELEASED = "ghcr.io/nutrition-journal/";

// The Tiltfile and the workflows have such a test of their own.
describe("every image, and no other,", () => {
  it("is built by the compose file, under its name", () => {
    const built = Object.values(readComposeFile().services).flatMap(({ image, build }) =>
      build ? [[image, build.args.SERVICE]] : [],
    );
    const names = new Set(built.map(([, name]) => name));
    expect([...names].sort()).toEqual(IMAGES);
    for (const [image, name] of built) expect(image).toBe(COMPOSED + name);
  });

  it.skipIf(isWithoutHelm())("runs somewhere in the chart", () => {
    const used = readdirSync(join(CHART, "ci"))
      .flatMap((values) => podsOf(render(values)))
      .flatMap(({ pod }) => pod.containers)
      .filter(({ image }) => image.startsWith(RELEASED))
      .map(({ image }) => image.slice(RELEASED.length).split(":")[0]);
    expect([...new Set(used)].sort()).toEqual(IMAGES);
  });
});

it("dependencies are installed by the same Node that runs everything else", () => {
  const { NODE_IMAGE } = readDockerfile().defaults;
  expect(NODE_IMAGE).toContain(`/node:${packageJson.dependencies.node}-`);
});
