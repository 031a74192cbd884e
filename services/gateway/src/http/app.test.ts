import { Socket } from "node:net";

import { expect, it } from "vitest";

import { bareApp } from "../../test/bare-app.ts";
import { messageClassesOf } from "./app.ts";

it("creates requests and responses with the prototypes that Express gives them", () => {
  const app = bareApp([]);
  const { IncomingMessage, ServerResponse } = messageClassesOf(app);
  const request = new IncomingMessage(new Socket());
  expect(Object.getPrototypeOf(request)).toBe(app.request);
  expect(Object.getPrototypeOf(new ServerResponse(request))).toBe(app.response);
  expect((request as typeof app.request).app).toBe(app);
});
