import type { ReceivedSeries } from "@nutrition/telemetry/otlp/received";
import { keyOf } from "@nutrition/telemetry/otlp/receiver";

import { attributesSize } from "./trace-store.ts";

export interface SeriesBounds {
  /** Maximum number of series; further ones are dropped. */
  seriesMax: number;
  /** Maximum size of a series; larger ones are dropped. */
  seriesBytesMax: number;
}

const BOUNDS: SeriesBounds = { seriesMax: 10_000, seriesBytesMax: 2_048 };

/** The latest value of each series. */
export class SeriesStore {
  readonly #bounds: SeriesBounds;
  readonly #series = new Map<string, ReceivedSeries>();

  constructor(bounds: SeriesBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  addSeries(series: readonly ReceivedSeries[]): void {
    const { seriesMax, seriesBytesMax } = this.#bounds;
    for (const one of series) {
      const text = one.service.length + one.name.length + one.unit.length;
      if (text * 2 + attributesSize(one.attributes) > seriesBytesMax) continue;
      const key = keyOf(one);
      if (this.#series.has(key) || this.#series.size < seriesMax) this.#series.set(key, one);
    }
  }

  /** The series of one metric. */
  of(name: string): ReceivedSeries[] {
    return [...this.#series.values()].filter((series) => series.name === name);
  }

  get size(): number {
    return this.#series.size;
  }
}
