import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { WRITE_TOOLS } from "@nutrition/core/write-tools";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Mutation } from "@nutrition/proto/nutrition/journal/v1/journal_pb";

import type { Display } from "../../domain/display.ts";
import { foreign } from "../foreign.ts";
import type { ViewerTime } from "../moment.ts";
import { exactMoment } from "../moment.ts";
import { changeView } from "./change-view.ts";

/** Verb phrases by tool; a newer journal may have tools that this version does not know. */
const VERB_PHRASES: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITE_TOOLS).map(([tool, { did }]) => [tool, did]),
);

/** The history of a day. */
export interface DayHistory {
  /** Newest first. */
  readonly mutations: readonly Mutation[];
  /** Whether older ones exist that are not shown. */
  readonly isCut: boolean;
  /** Names of keys and connected assistants, by credential id; undefined when unavailable. */
  readonly writers: ReadonlyMap<string, string> | undefined;
}

/** Lists the changes of a day: author, time, and the lines before and after. */
export function historySection(
  { mutations, isCut, writers }: DayHistory,
  { viewer, display }: { viewer: ViewerTime; display: Display },
): Markup {
  const changes = mutations.filter(({ duplicate }) => !duplicate);
  if (changes.length === 0) return markup``;
  return markup`<details class="card history">
    <summary>Changes of this day</summary>
    <ol class="plain changes">
      ${changes.map(
        (mutation) => markup`<li>
          <span class="soft">${exactMoment(timestampDate(mutation.createdAt!), viewer)}</span><br />
          ${writerOf(mutation, writers)} ${VERB_PHRASES.get(mutation.tool) ?? "wrote"}
          ${changeView(mutation, display)}
        </li>`,
      )}
    </ol>
    ${isCut ? markup`<p class="soft">Older changes are in the export.</p>` : ""}
  </details>`;
}

function writerOf({ origin, credentialId }: Mutation, writers: DayHistory["writers"]): Markup {
  if (origin === Origin.SEED) return markup`<strong>Demonstration data</strong>`;
  if (origin === Origin.IMPORT) return markup`<strong>An import</strong>`;
  if (!writers) return markup`<strong>A key or an assistant</strong>`;
  const name = writers.get(credentialId);
  return name === undefined
    ? markup`<strong>A key or an assistant that you have removed</strong>`
    : markup`<strong>${foreign(name)}</strong>`;
}
