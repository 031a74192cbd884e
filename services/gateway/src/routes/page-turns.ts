import type { ServerResponse } from "node:http";

import type { FairQueueOptions } from "@nutrition/core/fair-queue";
import { FairQueue } from "@nutrition/core/fair-queue";
import { networkOf } from "@nutrition/core/network";
import { Places } from "@nutrition/core/places";
import { untilClosed } from "@nutrition/service/until-closed";
import type { Request, RequestHandler, Response } from "express";

import { toRefusal } from "../http/refusal.ts";

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

/** Responses that are being sent, such as long exports. */
export const PAGE_STREAMS_MAX = 512;
/** The same to one network. */
export const PAGE_STREAMS_PER_NETWORK_MAX = 64;

/**
 * A page request has a turn while a service works on it: from when its whole body has arrived, until the response
 * begins. How long the rest takes is up to the client, so that it holds a place instead.
 */
export class PageTurns {
  readonly #queue: FairQueue;
  readonly #streams = new Places({
    max: PAGE_STREAMS_MAX,
    maxPerKey: PAGE_STREAMS_PER_NETWORK_MAX,
  });
  readonly #ends = new WeakMap<ServerResponse, () => void>();

  constructor(options: FairQueueOptions) {
    this.#queue = new FairQueue(options);
  }

  /** Middleware that continues when it is the network's turn. */
  readonly take: RequestHandler = (request, response, next) => {
    const hungUp = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#ends.set(response, end);
    void untilClosed(response).then(() => {
      hungUp.abort();
      end();
    });
    const work = () => {
      next();
      return ended;
    };
    this.#queue.run(networkOf(request.ip ?? ""), work, hungUp.signal).catch((error: unknown) => {
      if (!hungUp.signal.aborted) next(toRefusal(error));
    });
  };

  /** Ends the turn when the response begins. */
  beginResponse(request: Request, response: Response): void {
    const stream = this.#streams.enter(networkOf(request.ip ?? ""), () => response.destroy());
    response.on("drain", stream.touch).once("close", stream.leave);
    this.#ends.get(response)?.();
  }
}
