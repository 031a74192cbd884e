const BEFORE =
  "(?:it|that|this|there|they|i|we|was|were|is|only|just|about|ate|had|eaten|finished|really|actually|more|like|make|roughly|a|the|closer|to)";
const AFTER =
  "(?: (?:of|as|that|it|this|the|much|many|amount|portion|size|them|those|serving|listed|logged|estimate|one|what|i|you|said))*";
const RELATIVE = new RegExp(
  String.raw`^(?:${BEFORE}\s+)*(half|third|two thirds|2 thirds|quarter|three quarters|3 quarters|1/2|1/3|2/3|1/4|3/4|\d{1,3} ?%|twice|double|triple|(?:two|three|four|\d(?:\.\d)?) ?(?:x|times))${AFTER}[.!]*$`,
  "iu",
);
const FACTORS: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["two thirds", 2 / 3],
  ["2 thirds", 2 / 3],
  ["quarter", 1 / 4],
  ["three quarters", 3 / 4],
  ["3 quarters", 3 / 4],
  ["1/2", 1 / 2],
  ["1/3", 1 / 3],
  ["2/3", 2 / 3],
  ["1/4", 1 / 4],
  ["3/4", 3 / 4],
  ["twice", 2],
  ["double", 2],
  ["triple", 3],
  ["two", 2],
  ["three", 3],
  ["four", 4],
]);

/**
 * How many times the line's amount a correction says it was: 0.5 of "only half of that", 2 of "twice
 * as much"; undefined when it says anything else, such as "half an avocado".
 */
export function readRelativeAmount(correction: string): number | undefined {
  const found = RELATIVE.exec(correction.trim())?.[1]?.toLowerCase();
  if (found === undefined) return undefined;
  if (found.endsWith("%")) return Number(found.replace("%", "")) / 100;
  const name = found.replace(/ ?(?:x|times)$/u, "");
  return FACTORS.get(name) ?? Number(name);
}
