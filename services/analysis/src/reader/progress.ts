const CALL = 0;
const LINE = 1;
const SECTION = 2;
const FIELDS = 3;

/** The section of work that a thread is in. */
export interface Section {
  readonly call: number;
  /** Line of the call, or `ALL_LINES`. */
  readonly line: number;
  /** Differs from one section to the next. */
  readonly number: number;
}

/** Memory in which a thread notes what it works on, so that another one can tell when it is blocked. */
export function newProgress(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(FIELDS * Int32Array.BYTES_PER_ELEMENT));
}

/** Notes that the thread begins a section. */
export function beginSection(progress: Int32Array, call: number, line: number): void {
  Atomics.store(progress, CALL, call);
  Atomics.store(progress, LINE, line);
  Atomics.add(progress, SECTION, 1);
}

/** The section that the thread began last. */
export function sectionOf(progress: Int32Array): Section {
  const [call, line, number] = [CALL, LINE, SECTION].map((at) => Atomics.load(progress, at));
  return { call: call ?? 0, line: line ?? 0, number: number ?? 0 };
}
