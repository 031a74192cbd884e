import type { FairQueue, FairQueueOptions } from "@nutrition/core/fair-queue";
import { networkOf } from "@nutrition/core/network";
import { untilClosed } from "@nutrition/service/until-closed";
import type { RequestHandler } from "express";

import { toRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";

/**
 * Limits concurrent page requests. Networks take turns, which is only approximately fair, because many people
 * may share an address. A browser requests a page and its assets at the same time.
 */
export const PAGE_TURNS: FairQueueOptions = {
  slots: 256,
  slotsPerKey: 32,
  waitingMax: 2_048,
  waitingPerKeyMax: 256,
};

/** Continues when it is the network's turn, and holds the slot until the response is finished. */
export function takeTurn(turns: FairQueue, page: string): RequestHandler {
  return (request, response, next) => {
    // Longer paths may contain private data, as queries do.
    stateOf(response).route = page;
    const hungUp = new AbortController();
    const closed = untilClosed(response).then(() => hungUp.abort());
    const work = () => {
      next();
      return closed;
    };
    turns.run(networkOf(request.ip ?? ""), work, hungUp.signal).catch((error: unknown) => {
      if (!hungUp.signal.aborted) next(toRefusal(error));
    });
  };
}
