import { Failure } from "@nutrition/core/failure";

import { parseId } from "./target-account.ts";

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 500;

/** The page that a request asks for, in the order of ids. */
export interface PageRequest {
  /** 0 means the default. */
  pageSize: number;
  /** The id of the last item before the page; empty for the first page. */
  pageToken: string;
}

/** Reads one page. `list` returns up to `limit` items after the id `afterId`. */
export async function pageOf<Item>(
  { pageSize, pageToken }: PageRequest,
  list: (page: { afterId: string | null; limit: number }) => Promise<Item[]>,
  idOf: (item: Item) => string,
): Promise<{ items: Item[]; nextPageToken: string }> {
  const limit = parsePageSize(pageSize);
  const afterId = pageToken === "" ? null : parseId(pageToken, "page_token");
  const found = await list({ afterId, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextPageToken: found.length > limit && last ? idOf(last) : "" };
}

function parsePageSize(pageSize: number): number {
  if (pageSize === 0) return PAGE_SIZE_DEFAULT;
  if (pageSize >= 1 && pageSize <= PAGE_SIZE_MAX) return pageSize;
  throw new Failure(
    "invalid_argument",
    "INVALID_PAGE_SIZE",
    `page_size must be 1 to ${PAGE_SIZE_MAX}.`,
  );
}
