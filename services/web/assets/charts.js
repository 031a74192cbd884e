// Draws the figures of the journal's table as charts. Without this script the table is shown.
const charts = document.getElementById("charts");
const table = document.getElementById("trend-figures");
const DAY_SECONDS = 86_400;
const locale = charts?.dataset.locale ?? "en-GB";
const region = new Intl.Locale(locale).region;
const numberFormat = new Intl.NumberFormat(locale, {
  numberingSystem: "latn",
  maximumFractionDigits: 1,
});
const dayFormat = new Intl.DateTimeFormat(`en-${region}`, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/**
 * The lines and bars of each chart; the colours are variables of the style sheet. What is drawn on
 * the scale "energy" has an axis of its own on the right.
 */
const CHARTS = {
  calories: [{ series: "calories", label: "Energy", colour: "--chart-energy", isBar: true }],
  macros: [
    { series: "protein", label: "Protein", colour: "--chart-protein" },
    { series: "carbs", label: "Carbohydrate", colour: "--chart-carbs" },
    { series: "fat", label: "Fat", colour: "--chart-fat" },
  ],
  water: [{ series: "water_milliliters", label: "Water", colour: "--chart-water", isBar: true }],
  weight: [
    { series: "calories", label: "Energy", colour: "--chart-faint", isBar: true, scale: "energy" },
    { series: "weight", label: "Weight", colour: "--chart-weight", isPoints: true },
    { series: "trend", label: "Trend", colour: "--chart-weight", isGapless: true },
  ],
};

if (charts && table) {
  const UPlot = await loadLibrary(charts.dataset.library);
  const days = readDays();
  charts.hidden = false;
  table.open = false;
  const drawings = [...charts.querySelectorAll("[data-chart]")].map((figure) => ({
    figure,
    place: figure.querySelector(".plot"),
    plot: undefined,
  }));
  const draw = () => drawings.forEach((drawing) => drawChart(UPlot, drawing, days));
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  new ResizeObserver(() => {
    for (const { plot, place } of drawings) plot?.setSize(sizeOf(place));
  }).observe(charts);
}

/** Loads uPlot as a script, because only that form of it is published minified. */
async function loadLibrary(address) {
  const script = document.createElement("script");
  script.src = address;
  script.async = true;
  // The page's policy allows scripts with its nonce only.
  script.nonce = document.scripts[0].nonce;
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
  });
  document.head.append(script);
  await loaded;
  return globalThis.uPlot;
}

/** Every day of the range, with the figures of those that have any. */
function readDays() {
  const rows = new Map();
  for (const row of table.querySelectorAll("tr[data-date]")) rows.set(row.dataset.date, row);
  const days = [];
  const last = Date.parse(charts.dataset.last) / 1_000;
  for (let at = Date.parse(charts.dataset.first) / 1_000; at <= last; at += DAY_SECONDS) {
    days.push({ at, row: rows.get(new Date(at * 1_000).toISOString().slice(0, 10)) });
  }
  return days;
}

/** The exact figure of the table in the unit that is shown. */
function figureOf(row, series, { dataset }) {
  const data = row?.querySelector(`[data-series="${series}"] data`);
  const scale = series === "calories" ? dataset.energyScale : dataset.scale;
  return data ? Number(data.value) * Number(scale) : null;
}

function drawChart(UPlot, drawing, days) {
  const { figure, place } = drawing;
  const lines = CHARTS[figure.dataset.chart];
  const values = lines.map((line) => days.map(({ row }) => figureOf(row, line.series, figure)));
  // A chart of weights without a weight says nothing, whatever stands behind it.
  const main = values.filter((_, at) => !lines[at].scale);
  figure.hidden = main.flat().every((value) => !value);
  drawing.plot?.destroy();
  if (figure.hidden) return;
  const series = lines.map((line) => lineOptions(UPlot, line));
  const goal = Number(figure.dataset.goal) * Number(figure.dataset.scale);
  if (goal > 0) {
    series.push({
      label: "Goal",
      value: formatted,
      stroke: colourOf("--ink"),
      width: 1,
      dash: [6, 4],
      points: { show: false },
    });
    values.push(days.map(() => goal));
  }
  const data = [days.map(({ at }) => at), ...values];
  drawing.plot = new UPlot(options(UPlot, series, place), data, place);
  showNewest(drawing.plot);
}

/** Without a pointer, the legend tells the newest day that has a figure. */
function showNewest(plot) {
  const [, ...drawn] = plot.data;
  const newest = plot.data[0].findLastIndex((_, at) =>
    drawn.some((values, line) => values[at] != null && plot.series[line + 1].label !== "Goal"),
  );
  if (newest >= 0) plot.setLegend({ idx: newest });
}

function options(UPlot, series, place) {
  const axis = {
    stroke: colourOf("--soft"),
    grid: { stroke: colourOf("--line"), width: 1 },
    ticks: { show: false },
  };
  const font = "12px system-ui, sans-serif";
  return {
    ...sizeOf(place),
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    series: [{ label: "Day", value: (_plot, at) => (at == null ? "–" : dayName(at)) }, ...series],
    axes: [
      {
        ...axis,
        font,
        grid: { show: false },
        size: 30,
        space: 60,
        values: (_plot, splits) => splits.map(dayName),
      },
      { ...axis, font, size: 52, values: formattedAll },
      ...(series.some(({ scale }) => scale === "energy")
        ? [
            {
              ...axis,
              font,
              size: 52,
              side: 1,
              scale: "energy",
              grid: { show: false },
              values: formattedAll,
            },
          ]
        : []),
    ],
    scales: {
      x: { range: (_plot, first, last) => [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2] },
      y: { range: (_plot, low, high) => yRange(series, low, high) },
      energy: { range: (_plot, _low, high) => [0, Math.max(high * 1.5, 1)] },
    },
    cursor: { drag: { x: false, y: false }, y: false },
    hooks: { setCursor: [(plot) => plot.cursor.idx ?? showNewest(plot)] },
  };
}

/** Bars and amounts start at zero; a weight would then be a flat line. */
function yRange(series, low, high) {
  if (series.some(({ isGapless }) => isGapless)) return [Math.floor(low - 1), Math.ceil(high + 1)];
  return [0, Math.max(high * 1.08, 1)];
}

function lineOptions(UPlot, line) {
  const { label, colour, isBar = false, isGapless = false, isPoints = false, scale = "y" } = line;
  const stroke = colourOf(colour);
  if (isBar) {
    const paths = UPlot.paths.bars({ size: [0.7, 24], radius: 0.15 });
    return {
      label,
      scale,
      value: formatted,
      stroke,
      fill: stroke,
      width: 0,
      paths,
      points: { show: false },
    };
  }
  const points = { show: !isGapless, size: 5, fill: stroke, stroke };
  const width = isPoints ? 0 : 2;
  return { label, scale, value: formatted, stroke, width, points, spanGaps: isGapless, isGapless };
}

function formatted(_plot, figure) {
  return figure == null ? "–" : numberFormat.format(figure);
}

function formattedAll(_plot, figures) {
  return figures.map((figure) => numberFormat.format(figure));
}

function dayName(seconds) {
  return dayFormat.format(new Date(seconds * 1_000));
}

function sizeOf(place) {
  return { width: place.clientWidth, height: 200 };
}

/** The color of a variable in the active color scheme. */
function colourOf(variable) {
  charts.style.color = `var(${variable})`;
  const { color } = getComputedStyle(charts);
  charts.style.color = "";
  return color;
}
