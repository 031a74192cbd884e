import type { HistogramDefinition, Instrument, MetricDefinition } from "./instruments.ts";
import { Gauge, Histogram, Sum } from "./instruments.ts";

const instruments: Instrument[] = [];

/** Every instrument of this process, in the order of definition. */
export function allInstruments(): readonly Instrument[] {
  return instruments;
}

/** Counts events; it only grows. */
export function counter<Name extends string>(definition: MetricDefinition<Name>): Sum<Name> {
  return register(new Sum(definition, true));
}

/** Counts what currently exists. */
export function upDownCounter<Name extends string>(definition: MetricDefinition<Name>): Sum<Name> {
  return register(new Sum(definition, false));
}

/** A current value. */
export function gauge<Name extends string>(definition: MetricDefinition<Name>): Gauge<Name> {
  return register(new Gauge(definition));
}

/** A distribution of values. */
export function histogram<Name extends string>(
  definition: HistogramDefinition<Name>,
): Histogram<Name> {
  return register(new Histogram(definition));
}

function register<Made extends Instrument>(instrument: Made): Made {
  const { name } = instrument.definition;
  if (instruments.some(({ definition }) => definition.name === name)) {
    throw new Error(`The metric ${name} is defined twice.`);
  }
  instruments.push(instrument);
  return instrument;
}
