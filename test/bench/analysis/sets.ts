import { existsSync } from "node:fs";

import type { LabelFile, LabelledLine } from "../../../services/analysis/test/score.ts";
import {
  HELD_APART_FILES,
  LABEL_FILES,
  ownLabelledLines,
  readLabelledLines,
} from "../../../services/analysis/test/score.ts";
import { sharedData } from "../../../services/analysis/test/shared-data.ts";

/** A set of labelled lines that are measured together. */
export interface LabelledSet {
  readonly name: string;
  readonly lines: readonly LabelledLine[];
}

/** The lines that may be used for tuning. */
export function developmentSets(): LabelledSet[] {
  const shared = ["nutrition-dev", "kinds-dev"].map((name) => ({
    name,
    file: sharedData(`${name}.jsonl`),
  }));
  const available = shared.filter(({ file }) => existsSync(file));
  return [
    ...setsOf(LABEL_FILES),
    ...available.map(({ name, file }) => ({ name, lines: readLabelledLines(file) })),
  ];
}

function setsOf(files: readonly LabelFile[]): LabelledSet[] {
  return files.map((name) => ({ name, lines: ownLabelledLines(name) }));
}

/** The lines that are evaluated only before a release. */
export function heldApartSets(): LabelledSet[] {
  return setsOf(HELD_APART_FILES);
}
