import { countOf } from "@nutrition/core/count-of";
import type { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import { IMPORT_CALL, LONG_CALL } from "../call-options.ts";
import { collectGarbage, limitMemory } from "./collect-garbage.ts";
import { FdcFile } from "./fdc/fdc-file.ts";
import type { FoodFile, FoodToImport } from "./import-row.ts";
import { openJsonLines } from "./jsonl-file.ts";
import { openOffExport } from "./off/off-file.ts";
import type { Progress } from "./progress.ts";
import type { Refusal } from "./refusals.ts";
import { Refusals } from "./refusals.ts";
import { openTableFiles } from "./table-files.ts";

/** Result of an import. */
export interface FoodImportReport {
  foods: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** Rows that are not foods, such as samples. */
  left_out: number;
  /** Labels replaced by a newer one with the same barcode. */
  superseded: number;
  refused: number;
  /** Number of refused rows per reason. */
  refused_because: Record<string, number>;
  /** The first refused rows. */
  refusals: Refusal[];
  /** A note on the foods' licence; null for the public domain. */
  licence: string | null;
}

export interface FoodImport {
  path: string;
  /** File for all refused rows, as JSON lines. */
  rejects: string | undefined;
  progress: Progress;
}

type AnalysisClient = Client<typeof AnalysisService>;

const MEGABYTE = 1_000_000;
const BATCH_MAX = 1_000;
/** Maximum number of concurrent batches: one is stored while the next is read. */
const IN_FLIGHT_MAX = 2;
/** Number of foods between garbage collections. */
const CLEAN_UP_EVERY = 10_000;

/**
 * Imports the foods of a file into the food tables. Foods that are already stored are skipped, so
 * an import that failed or was killed can be repeated with the same file.
 */
export async function importFoodFile(
  analysis: AnalysisClient,
  { path, rejects, progress }: FoodImport,
): Promise<FoodImportReport> {
  if (/\.(?:jsonl|ndjson)(?:\.gz)?$/iu.test(path)) {
    return importAll(analysis, await openJsonLines(path), { rejects, progress });
  }
  if (/\.(?:csv|tsv)(?:\.gz)?$/iu.test(path)) {
    return importAll(analysis, await openOffExport(path), { rejects, progress });
  }
  using files = await openTableFiles(path);
  return await importAll(analysis, new FdcFile(files), { rejects, progress });
}

async function importAll(
  analysis: AnalysisClient,
  file: FoodFile,
  { rejects, progress }: Omit<FoodImport, "path">,
): Promise<FoodImportReport> {
  await using refusals = await Refusals.open(rejects);
  const sender = new Sender(analysis, refusals);
  limitMemory();
  try {
    await sendAll(file, { sender, refusals, progress });
  } finally {
    progress.stop();
  }
  await analysis.finishImport({}, IMPORT_CALL);
  const { other, superseded } = file.leftOut;
  const { count, byReason, first } = refusals;
  return {
    ...sender.counts,
    left_out: other,
    superseded,
    refused: count,
    refused_because: Object.fromEntries(byReason),
    refusals: first,
    licence: file.licence ?? null,
  };
}

/** Reports progress in bytes until the number of rows is known, then in rows. */
async function sendAll(
  file: FoodFile,
  { sender, refusals, progress }: { sender: Sender; refusals: Refusals; progress: Progress },
): Promise<void> {
  const { title, totalBytes } = file;
  progress.begin({ title: `Reading ${title} (${megabytes(totalBytes)})`, total: totalBytes });
  const onBytes = (bytes: number) => {
    if (file.rowCount === undefined) progress.update(bytes);
  };
  const onRows = () => {
    const { inserted, updated, unchanged } = sender.counts;
    progress.update(inserted + updated + unchanged + refusals.count);
  };
  let isCounted = false;
  for await (const rows of file.rows(onBytes)) {
    if (file.rowCount !== undefined && !isCounted) {
      isCounted = true;
      progress.begin({ title: `Storing ${countOf(file.rowCount, "food")}`, total: file.rowCount });
    }
    for (const row of rows) {
      if ("food" in row) await sender.add(row.food);
      else await refusals.add({ reference: row.reference, reason: row.problem });
    }
    if (isCounted) onRows();
  }
  await sender.finish();
  if (isCounted) onRows();
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}

/** Sends foods in batches, a few concurrently. */
class Sender {
  readonly counts = { foods: 0, inserted: 0, updated: 0, unchanged: 0 };
  readonly #analysis: AnalysisClient;
  readonly #refusals: Refusals;
  readonly #inFlight = new Set<Promise<void>>();
  #batch: FoodToImport[] = [];

  constructor(analysis: AnalysisClient, refusals: Refusals) {
    this.#analysis = analysis;
    this.#refusals = refusals;
  }

  async add(food: FoodToImport): Promise<void> {
    this.counts.foods += 1;
    if (this.counts.foods % CLEAN_UP_EVERY === 0) collectGarbage();
    if (this.#batch.push(food) === BATCH_MAX) await this.#send();
  }

  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#send();
    await Promise.all(this.#inFlight);
  }

  async #send(): Promise<void> {
    const foods = this.#batch;
    this.#batch = [];
    const sent = this.#store(foods);
    this.#inFlight.add(sent);
    // Callers waiting for a free slot or for the end get the failure.
    sent.then(
      () => this.#inFlight.delete(sent),
      () => {},
    );
    if (this.#inFlight.size >= IN_FLIGHT_MAX) await Promise.race(this.#inFlight);
  }

  async #store(foods: FoodToImport[]): Promise<void> {
    const answer = await this.#analysis.importFoods({ foods }, LONG_CALL);
    this.counts.inserted += answer.inserted;
    this.counts.updated += answer.updated;
    this.counts.unchanged += answer.unchanged;
    for (const { reference, reason } of answer.refused) {
      await this.#refusals.add({ reference, reason });
    }
  }
}
