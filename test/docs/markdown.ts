import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A document with its anchors, links and paths. */
interface MarkdownDocument {
  /** Path from the root. */
  path: string;
  links: string[];
  /** Paths from the root in backticks, such as `services/gateway/src/reads.ts`. */
  namedPaths: string[];
}

const FENCED_CODE = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$/gm;
const INLINE_CODE = /(`+)(.+?)\1/g;
const INLINE_LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm;
const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;
/** A path below one of the root's folders; patterns and placeholders are not paths. */
const REPOSITORY_PATH =
  /^(?:\.ci|\.github|\.vscode|deploy|docs|helm|proto|services|test)\/[\w./-]+$/;

/** The repository's Markdown files, including uncommitted ones. */
export function listMarkdown(root: string): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  return stdout.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
}

export function readMarkdown(root: string, path: string): MarkdownDocument {
  const withoutBlocks = readFileSync(join(root, path), "utf8").replace(FENCED_CODE, "");
  const code = [...withoutBlocks.matchAll(INLINE_CODE)].map((match) => match[2]!.trim());
  const prose = withoutBlocks.replace(INLINE_CODE, "");
  const links = [INLINE_LINK, LINK_DEFINITION].flatMap((pattern) =>
    [...prose.matchAll(pattern)].map((match) => match[1]!),
  );
  return {
    path,
    links: links.filter((link) => !EXTERNAL.test(link)),
    namedPaths: code.filter((text) => REPOSITORY_PATH.test(text)),
  };
}

/** The broken relative links of a document, as written. */
export function brokenLinks(root: string, { path, links }: MarkdownDocument): string[] {
  return links.filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), decodeURI(file)));
    if (target.startsWith("..") || !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(join(root, target)).has(anchor);
  });
}

/** Paths in a document that exist neither from the root nor relative to the document. */
export function missingPaths(root: string, { path, namedPaths }: MarkdownDocument): string[] {
  return namedPaths.filter(
    (named) => !existsSync(join(root, named)) && !existsSync(join(root, dirname(path), named)),
  );
}

/** Anchors of a document's headings, as GitHub generates them: repeated ones get a number. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, "utf8").replace(FENCED_CODE, "");
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const title = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = title.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let repeat = 1; anchors.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}
