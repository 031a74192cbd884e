import type { LoadOrder } from "./load.ts";

/** A system that runs in separate processes and answers over HTTP. */
export interface MeasuredSystem extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  /** Ids of all its processes by name; children are included. */
  readonly processes: Readonly<Record<string, number>>;
  /** Requests for this system instead of the common ones. */
  readonly load?: Partial<LoadOrder>;
}
