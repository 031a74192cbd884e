/** Attributes of one measurement; every value comes from a small, known set. */
export type MetricAttributes = Readonly<Record<string, string>>;

export interface MetricDefinition<Name extends string = string> {
  /** OpenTelemetry name, such as `http.server.request.duration`. */
  readonly name: string;
  /** UCUM unit, such as `s`, `By` or `{request}`. */
  readonly unit: string;
  readonly description: string;
  /** Names of its attributes, in the order in which `series` takes their values. */
  readonly attributes: readonly Name[];
}

export interface HistogramDefinition<Name extends string = string> extends MetricDefinition<Name> {
  /** Upper bounds of the buckets, ascending; one more bucket holds larger values. */
  readonly bounds: readonly number[];
}

/** The trace that a measurement belongs to. */
export interface Exemplar {
  readonly traceId: string;
  readonly spanId: string;
}

export interface BucketExemplar extends Exemplar {
  readonly value: number;
  readonly atMs: number;
}

/** Whether anybody reads the metrics; otherwise nothing is recorded. */
export const recording = { isOn: false };

/**
 * Maximum number of series of one instrument; further attribute values share the overflow series.
 */
export const SERIES_MAX = 500;
/** OpenTelemetry's name for the overflow series. */
const OVERFLOW: MetricAttributes = { "otel.metric.overflow": "true" };

type Branch<Leaf> = Map<string, Branch<Leaf> | Leaf>;

/** The series of an instrument, found by attribute values without building a key. */
class SeriesTable<Name extends string, Leaf> {
  readonly #names: readonly Name[];
  readonly #make: (attributes: MetricAttributes) => Leaf;
  readonly #root: Branch<Leaf> = new Map();
  readonly all: Leaf[] = [];
  #overflow: Leaf | undefined;

  constructor(names: readonly Name[], make: (attributes: MetricAttributes) => Leaf) {
    this.#names = names;
    this.#make = make;
  }

  of(attributes: Readonly<Record<Name, string>>): Leaf {
    let node: Branch<Leaf> | Leaf | undefined = this.#root;
    for (const name of this.#names) {
      node = (node as Branch<Leaf>).get(attributes[name]);
      if (node === undefined) return this.#add(attributes);
    }
    return this.#names.length === 0 ? (this.all[0] ?? this.#append({})) : (node as Leaf);
  }

  #add(attributes: Readonly<Record<Name, string>>): Leaf {
    if (this.all.length >= SERIES_MAX) return (this.#overflow ??= this.#append(OVERFLOW));
    const values = Object.fromEntries(this.#names.map((name) => [name, attributes[name]]));
    const leaf = this.#append(values);
    let node = this.#root;
    this.#names.forEach((name, depth) => {
      const value = attributes[name];
      if (depth === this.#names.length - 1) return node.set(value, leaf);
      const next = (node.get(value) as Branch<Leaf> | undefined) ?? new Map();
      node.set(value, next);
      node = next;
    });
    return leaf;
  }

  #append(attributes: MetricAttributes): Leaf {
    const leaf = this.#make(attributes);
    this.all.push(leaf);
    return leaf;
  }
}

/** One series of a counter or a gauge. */
export class NumberSeries {
  readonly attributes: MetricAttributes;
  value = 0;

  constructor(attributes: MetricAttributes) {
    this.attributes = attributes;
  }
}

/** A sum: of events, or of things that currently exist when it can also go down. */
export class Sum<Name extends string = string> {
  readonly definition: MetricDefinition<Name>;
  readonly isMonotonic: boolean;
  readonly #series: SeriesTable<Name, NumberSeries>;

  constructor(definition: MetricDefinition<Name>, isMonotonic: boolean) {
    this.definition = definition;
    this.isMonotonic = isMonotonic;
    this.#series = new SeriesTable(definition.attributes, (own) => new NumberSeries(own));
  }

  add(amount: number, attributes: Readonly<Record<Name, string>>): void {
    if (recording.isOn) this.#series.of(attributes).value += amount;
  }

  get series(): readonly NumberSeries[] {
    return this.#series.all;
  }
}

/** A current value: set when it changes, or read on collection. */
export class Gauge<Name extends string = string> {
  readonly definition: MetricDefinition<Name>;
  readonly #series: SeriesTable<Name, NumberSeries>;
  readonly #observers = new Map<() => number, Readonly<Record<Name, string>>>();

  constructor(definition: MetricDefinition<Name>) {
    this.definition = definition;
    this.#series = new SeriesTable(definition.attributes, (own) => new NumberSeries(own));
  }

  set(value: number, attributes: Readonly<Record<Name, string>>): void {
    if (recording.isOn) this.#series.of(attributes).value = value;
  }

  /** Reads the value whenever metrics are collected, until disposed; observers of one series add up. */
  observe(attributes: Readonly<Record<Name, string>>, read: () => number): Disposable {
    this.#observers.set(read, attributes);
    return { [Symbol.dispose]: () => void this.#observers.delete(read) };
  }

  get series(): readonly NumberSeries[] {
    for (const attributes of this.#observers.values()) this.set(0, attributes);
    for (const [read, attributes] of this.#observers) this.#series.of(attributes).value += read();
    return this.#series.all;
  }
}

/** One series of a histogram. */
export class HistogramSeries {
  readonly attributes: MetricAttributes;
  readonly counts: Float64Array;
  readonly exemplars: (BucketExemplar | undefined)[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(attributes: MetricAttributes, bounds: readonly number[]) {
    this.attributes = attributes;
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
    this.exemplars = Array.from({ length: bounds.length + 1 }, () => undefined);
  }

  record(value: number, exemplar?: Exemplar): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
    (this.counts[bucket] as number) += 1;
    this.count += 1;
    this.sum += value;
    if (exemplar) this.exemplars[bucket] = { ...exemplar, value, atMs: Date.now() };
  }
}

/** A distribution of values, each bucket with the last trace that fell into it. */
export class Histogram<Name extends string = string> {
  readonly definition: HistogramDefinition<Name>;
  readonly #series: SeriesTable<Name, HistogramSeries>;

  constructor(definition: HistogramDefinition<Name>) {
    this.definition = definition;
    this.#series = new SeriesTable(
      definition.attributes,
      (own) => new HistogramSeries(own, definition.bounds),
    );
  }

  record(value: number, attributes: Readonly<Record<Name, string>>, exemplar?: Exemplar): void {
    if (recording.isOn) this.#series.of(attributes).record(value, exemplar);
  }

  get series(): readonly HistogramSeries[] {
    return this.#series.all;
  }
}

export type Instrument = Sum | Gauge | Histogram;
