import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { markup } from "@nutrition/core/markup";
import { rolldown } from "rolldown";

const VIEW = join(import.meta.dirname, "../view");

/** Cards by the name of their script in `view`, with the title of the page. */
export const CARDS = {
  logged: "Logged food",
  change: "Changed food",
  day: "Journal day",
  days: "Journal days",
  goals: "Goals",
  weight: "Weight",
} as const;

/** Style sheets in `view/styles`, in the order in which they apply; every card has all of them. */
const STYLES = ["base.css", "totals.css", "items.css", "controls.css", "charts.css"];

/** The cards as self-contained pages, by file name. */
export async function renderCards(): Promise<Map<string, string>> {
  const sheets = STYLES.map((name) => readFile(join(VIEW, "styles", name), "utf8"));
  const css = (await Promise.all(sheets)).join("");
  const style = css.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(?<!\s)\s*\n\s*/g, "\n");
  const files = Object.entries(CARDS).map(
    async ([name, title]) =>
      [`${name}.html`, pageOf({ title, style, script: await bundle(name) })] as const,
  );
  return new Map(await Promise.all(files));
}

async function bundle(name: string): Promise<string> {
  await using build = await rolldown({ input: join(VIEW, `${name}.ts`), platform: "browser" });
  const { output } = await build.generate({ format: "iife", minify: true });
  const [{ code }] = output;
  if (code.includes("</script")) throw new Error(`${name}.ts would end its own script element`);
  return code.trim();
}

/**
 * A page that loads nothing and runs only its own script. The server fills in the attributes of the root
 * element.
 */
function pageOf({ title, style, script }: Record<"title" | "style" | "script", string>): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = markup`<!doctype html>
<html lang="en" data-may-write="false" data-connections-url="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
`.html;
  return `${head}<style>${style}</style>
</head>
<body>
<main aria-busy="true"><p class="placeholder">Waiting for the journal …</p></main>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
