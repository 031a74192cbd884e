import { el, svg } from "./dom.ts";
import type { Child } from "./dom.ts";

/** Size of the drawings in their own units; pages stretch them. */
const WIDTH = 600;
const HEIGHT = 120;
/** Share of its slot that a bar fills. */
const BAR_SHARE = 0.75;

export interface BarChart {
  /** The chart's title, and a summary for people who cannot see it. */
  readonly title: string;
  readonly summary: string;
  /** Undefined if there is nothing to show. */
  readonly values: readonly (number | undefined)[];
  /** Class of the nutrient, which determines the color. */
  readonly kind: string;
  /** Labels under the chart, from left to right. */
  readonly labels: readonly string[];
  readonly height?: number;
}

/** Draws a bar for each value, from 0 to the largest. */
export function barChart({ title, summary, values, kind, labels, height }: BarChart): HTMLElement {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(values.length, 1);
  const bars = values.map((value, index) => {
    if (value === undefined) return false;
    const length = (value / most) * HEIGHT;
    return svg("rect", {
      x: round(index * step + (step * (1 - BAR_SHARE)) / 2),
      y: round(HEIGHT - length),
      width: round(step * BAR_SHARE),
      height: round(length),
    });
  });
  return chart({ title, summary, kind, labels, height }, bars);
}

export interface LineChart extends Omit<BarChart, "values"> {
  /** Positions on both axes from 0 to 1, from the lower left. */
  readonly points: readonly Place[];
  readonly line: readonly Place[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Draws points, and a line through other positions. */
export function lineChart({ points, line, ...about }: LineChart): HTMLElement {
  const at = ({ x, y }: Place) => `${round(x * WIDTH)} ${round((1 - y) * HEIGHT)}`;
  // Draws each point as a line of length 0: its round ends keep their shape when the drawing is stretched.
  const dots = points.map((point) => `M${at(point)}h0`).join("");
  const path = line.map((place, index) => `${index === 0 ? "M" : "L"}${at(place)}`).join("");
  return chart(about, [
    svg("path", { class: "trend", d: path }),
    svg("path", { class: "dots", d: dots }),
  ]);
}

type About = Pick<BarChart, "title" | "summary" | "kind" | "labels"> & {
  readonly height?: number | undefined;
};

function chart(
  { title, summary, kind, labels, height = HEIGHT }: About,
  marks: Child,
): HTMLElement {
  return el(
    "figure",
    { class: `chart ${kind}` },
    el("figcaption", {}, title),
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        height,
        role: "img",
        "aria-label": summary,
      },
      marks,
    ),
    el(
      "div",
      { class: "labels", "aria-hidden": "true" },
      labels.map((label) => el("span", {}, label)),
    ),
  );
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
