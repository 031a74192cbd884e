import { analyse } from "scslre";

/**
 * Why an expression can take longer than in proportion to a text's length at one place of it; undefined if it
 * cannot. Trying the next place again is not counted: the reader's texts have at most 1,500 characters.
 */
export function backtrackingOf(pattern: RegExp): string | undefined {
  const { reports } = analyse(pattern, { reportTypes: { Move: false } });
  const [report] = reports;
  if (!report) return undefined;
  const growth = report.exponential ? "exponential" : "at least quadratic";
  const quants = report.type === "Trade" ? [report.startQuant, report.endQuant] : [report.quant];
  const parts = quants.map(({ start, end }) => pattern.source.slice(start, end));
  return `${growth} time: the same characters fit ${parts.join(" and ")} in several ways`;
}
