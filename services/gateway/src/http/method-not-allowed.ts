import type { RequestHandler } from "express";

import { HttpRefusal } from "./refusal.ts";
import { stateOf } from "./request-state.ts";

/** Refuses every method that reaches it; the message names the methods that `route` supports. */
export function allowOnly(methods: string, route: string): RequestHandler {
  return (request, response) => {
    stateOf(response).route = route;
    throw new HttpRefusal(
      "method_not_allowed",
      `${route} supports ${LIST.format(methods.split(", "))}, not ${request.method}.`,
      { headers: { Allow: methods } },
    );
  };
}

const LIST = new Intl.ListFormat("en");
