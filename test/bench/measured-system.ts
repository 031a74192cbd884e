import type { LoadOrder } from "./load.ts";

/** Something that runs in processes of its own and answers over HTTP. */
export interface MeasuredSystem extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  /** Process id of everything that works for it, by name; children are counted with each. */
  readonly processes: Readonly<Record<string, number>>;
  /** What is asked of it instead of what is asked of all. */
  readonly load?: Partial<LoadOrder>;
}
