import type { HrTime } from "@opentelemetry/api";
import { ValueType } from "@opentelemetry/api";
import { hrTime } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import type { MetricData, MetricProducer } from "@opentelemetry/sdk-metrics";
import { AggregationTemporality, DataPointType } from "@opentelemetry/sdk-metrics";

import type { HistogramSeries, Instrument } from "./instruments.ts";
import { Histogram, Sum } from "./instruments.ts";

const SCOPE = { name: "@nutrition/telemetry" };

/** Hands the instruments to the SDK's readers and so to its exporters. */
export function metricProducer(
  instruments: readonly Instrument[],
  resource: Resource,
): MetricProducer {
  const startTime = hrTime();
  return {
    collect: async () => {
      const times = { startTime, endTime: hrTime() };
      const recorded = instruments.filter(({ series }) => series.length > 0);
      const metrics = recorded.map((instrument) => metricData(instrument, times));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: SCOPE, metrics }] },
        errors: [],
      };
    },
  };
}

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

function metricData(instrument: Instrument, times: Times): MetricData {
  const { name, description, unit } = instrument.definition;
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (instrument instanceof Histogram) {
    const { bounds } = instrument.definition;
    const points = instrument.series.map((series) => histogramPoint(series, bounds, times));
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: points };
  }
  const dataPoints = instrument.series.map(({ attributes, value }) => ({
    ...times,
    attributes,
    value,
  }));
  if (!(instrument instanceof Sum)) {
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  }
  const { isMonotonic } = instrument;
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic, dataPoints };
}

function histogramPoint(series: HistogramSeries, bounds: readonly number[], times: Times) {
  const { attributes, counts, count, sum } = series;
  const buckets = { boundaries: [...bounds], counts: [...counts] };
  return { ...times, attributes, value: { buckets, count, sum } };
}
