import type { LoadKind, Report, Row } from "./report.ts";

const WIDTH = 880;
const LEFT = 190;
/** Room right of the longest bar for its label. */
const LABEL_WIDTH = 70;
const BAR_HEIGHT = 16;
const BAR_PITCH = 20;
const HEADING_HEIGHT = 34;
const TOP = 30;

const CALLERS: Readonly<Record<LoadKind, string>> = {
  rare: "rare callers",
  hot: "frequent callers",
};

const STYLE = `
  text { fill: #1d2b1f } .small { font-size: 12px; fill: #55635a }
  .ours { fill: #2f5d34 } .peer { fill: #b9c8bb }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8efe9 } .small { fill: #a9b8ad } .ours { fill: #7fae82 } .peer { fill: #4a594c }
  }`;

/** The CPU time per request of all systems as an SVG: a group of bars for each load. */
export function chartOf({ rows }: Report): string {
  const loads = [...new Set(rows.map(loadOf))].map((load) =>
    rows.filter((row) => loadOf(row) === load),
  );
  const most = Math.max(...rows.map(({ median }) => median.totalMicros));
  const scale = (WIDTH - LEFT - LABEL_WIDTH) / most;
  let y = TOP;
  const groups = loads.map((group) => {
    const text = groupOf(group, { y, scale });
    y += HEADING_HEIGHT + group.length * BAR_PITCH;
    return text;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 10}" role="img" aria-labelledby="t" font-family="system-ui, sans-serif" font-size="14">
<title id="t">CPU time per request in microseconds, services and monoliths; shorter is better</title>
<style>${STYLE}
</style>
<text x="${LEFT}" y="20" class="small">CPU time per request in µs, all processes; shorter is better</text>
${groups.join("\n")}
</svg>
`;
}

function loadOf({ kind, connections }: Row): string {
  return `${CALLERS[kind]}, ${connections === 1 ? "1 connection" : `${connections} connections`}`;
}

function groupOf(rows: readonly Row[], { y, scale }: { y: number; scale: number }): string {
  const heading = rows[0] ? loadOf(rows[0]) : "";
  const bars = rows.map(({ name, median }, index) => {
    const top = y + HEADING_HEIGHT - 8 + index * BAR_PITCH;
    const width = Math.max(1, Math.round(median.totalMicros * scale));
    const baseline = top + BAR_HEIGHT - 4;
    return `<text x="${LEFT - 8}" y="${baseline}" text-anchor="end" class="small">${name}</text>
<rect x="${LEFT}" y="${top}" width="${width}" height="${BAR_HEIGHT}" class="${name === "services" ? "ours" : "peer"}"/>
<text x="${LEFT + width + 6}" y="${baseline}" class="small">${Math.round(median.totalMicros)}</text>`;
  });
  return [`<text x="${LEFT}" y="${y + 18}">${heading}</text>`, ...bars].join("\n");
}
