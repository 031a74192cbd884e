/** The value of a hidden field of a page. */
export function hiddenField(page: string, name: string): string {
  const found = new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page);
  if (!found) throw new Error(`The page has no field "${name}".`);
  return found[1]!;
}

/** The visible text of a page, without markup, on one line. */
export function visibleText(page: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
  return page
    .replace(/<head>.*<\/head>/s, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ");
}
