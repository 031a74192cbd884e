import { DOCS } from "@nutrition/gateway/docs/paths";

import type { System } from "../e2e/system.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Stands for a key in examples that cannot read the environment. */
export const PLACEHOLDER = "service_live_…";

/** Code of the documentation, as readers copy it. */
export interface Example {
  readonly path: string;
  readonly label: string;
  readonly code: string;
}

/** Every block of code that the running system's documentation shows. */
export async function readExamples(system: System): Promise<Example[]> {
  const pages = Object.values(DOCS).map(async (path) => {
    const { body } = await system.fetch(path, {});
    const blocks = String(body).matchAll(
      /<p class="label">([^<]*)<\/p>[\s\S]*?<code>([\s\S]*?)<\/code>/g,
    );
    return [...blocks].map(([, label = "", code = ""]) => ({
      path,
      label: textOf(label),
      code: textOf(code),
    }));
  });
  return (await Promise.all(pages)).flat();
}

/** The JSON of an address that has to answer 200. */
export async function readJson(url: string, authorization: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization } });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  return response.json();
}

function textOf(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
