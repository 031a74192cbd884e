import type { Document, ExportLine } from "./export-lines.ts";

/** Arrays of the document by the type of their elements, in export order. */
const ARRAYS = [
  ["entry", "entries"],
  ["weight", "weights"],
  ["mutation", "mutations"],
] as const;

/**
 * Exports everything about a person as one JSON object, in pieces, with one array element per line.
 */
export async function* jsonDocument(
  profile: Document,
  lines: AsyncIterable<ExportLine>,
): AsyncGenerator<string> {
  yield `{"profile":${JSON.stringify(profile)}`;
  let current = -1;
  let separator = "";
  const openUpTo = (target: number) => {
    let text = "";
    while (current < target) {
      text += `${current < 0 ? "" : "\n]"},\n"${ARRAYS[current + 1]![1]}":[`;
      current += 1;
      separator = "\n";
    }
    return text;
  };
  for await (const line of lines) {
    if (line.type === "settings") {
      yield `,\n"settings":${JSON.stringify(line.settings)}`;
      continue;
    }
    yield openUpTo(ARRAYS.findIndex(([type]) => type === line.type));
    yield `${separator}${JSON.stringify(valueOf(line))}`;
    separator = ",\n";
  }
  yield `${openUpTo(ARRAYS.length - 1)}\n]}\n`;
}

function valueOf(line: Exclude<ExportLine, { type: "settings" }>): unknown {
  if (line.type === "entry") return line.entry;
  return line.type === "weight" ? line.weight : line.mutation;
}
