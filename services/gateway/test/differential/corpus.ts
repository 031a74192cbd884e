import type { CorpusRequest } from "./corpus-request.ts";
import { MODERN_BAD, MODERN_GOOD } from "./modern-corpus.ts";
import { OLDER_BAD, OLDER_GOOD } from "./older-corpus.ts";

/** Requests sent to both servers. Names are unique. */
export const CORPUS: readonly CorpusRequest[] = [
  ...MODERN_GOOD,
  ...MODERN_BAD,
  ...OLDER_GOOD,
  ...OLDER_BAD,
];
