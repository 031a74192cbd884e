/** What the watchdog's thread starts with. */
export interface WatchdogData {
  readonly service: string;
  /** The main thread counts the turns of its event loop here, and says whether a debugger is attached. */
  readonly loop: Int32Array<SharedArrayBuffer>;
  readonly underWay: Int32Array;
  readonly bounds: WatchdogBounds;
  readonly isText: boolean;
}

export interface WatchdogBounds {
  /** CPU time of one turn of the event loop after which the process is ended, in milliseconds. */
  readonly cpuMaxMs: number;
  /** Time during which it is not ended, in milliseconds. */
  readonly graceMs: number;
  /** Time between two looks, in milliseconds. */
  readonly pauseMs: number;
}

/** Places in `loop`. */
export const TURNS = 0;
export const DEBUGGED = 1;
export const LOOP_FIELDS = 2;
