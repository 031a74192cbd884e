/**
 * The part of Grafana's model that our dashboards need; everything else uses Grafana's defaults.
 */
export interface Dashboard {
  /** Stable, so that links keep working. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  /** Meaning of the panel, and when it indicates a problem. */
  readonly description: string;
  readonly kind: "timeseries" | "stat";
  /** Grafana's unit, such as `s`, `reqps` or `percentunit`. */
  readonly unit: string;
  readonly queries: readonly Query[];
}

export interface Query {
  readonly expression: string;
  /** Legend, with labels in double braces. */
  readonly legend: string;
}

const COLUMNS = 24;
const SIZES = { timeseries: { w: 12, h: 8 }, stat: { w: 6, h: 4 } };
const DATASOURCE = { type: "prometheus", uid: "${datasource}" };

/** A time series panel. */
export function curves(panel: Omit<Panel, "kind">): Panel {
  return { ...panel, kind: "timeseries" };
}

/** A single-figure panel. */
export function figure(panel: Omit<Panel, "kind">): Panel {
  return { ...panel, kind: "stat" };
}

/** The dashboard in the form that Grafana imports. */
export function toGrafana(dashboard: Dashboard): object {
  const { uid, title, description, sections } = dashboard;
  return {
    uid,
    title,
    description,
    tags: ["nutrition"],
    schemaVersion: 41,
    editable: false,
    graphTooltip: 1,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "browser",
    templating: {
      list: [{ name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" }],
    },
    links: [{ title: "Nutrition", type: "dashboards", tags: ["nutrition"], asDropdown: true }],
    panels: layOut(sections),
  };
}

/** Panels side by side under a section title. */
function layOut(sections: readonly Section[]): object[] {
  const laidOut: object[] = [];
  let y = 0;
  for (const { title, panels } of sections) {
    laidOut.push({
      ...{ id: laidOut.length + 1, type: "row", title, collapsed: false, panels: [] },
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      const { w, h } = SIZES[panel.kind];
      if (x + w > COLUMNS) {
        y += height;
        x = 0;
        height = 0;
      }
      laidOut.push(grafanaPanel(panel, { id: laidOut.length + 1, gridPos: { x, y, w, h } }));
      x += w;
      height = Math.max(height, h);
    }
    y += height;
  }
  return laidOut;
}

function grafanaPanel(panel: Panel, place: { id: number; gridPos: object }): object {
  const { title, description, kind, unit, queries } = panel;
  return {
    ...place,
    type: kind,
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: { unit, min: 0, ...(kind === "stat" ? {} : { custom: { fillOpacity: 10 } }) },
      overrides: [],
    },
    options:
      kind === "stat"
        ? { reduceOptions: { calcs: ["lastNotNull"] } }
        : { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } },
    targets: queries.map(({ expression, legend }, index) => ({
      refId: String.fromCodePoint("A".codePointAt(0)! + index),
      datasource: DATASOURCE,
      expr: expression,
      legendFormat: legend,
      exemplar: kind === "timeseries",
    })),
  };
}
