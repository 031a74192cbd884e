import { afterAll, beforeAll, describe } from "vitest";

import { System } from "../e2e/system.ts";
import { describeReading } from "./reading.ts";
import { describeRefusals } from "./refusals.ts";
import { describeWriting } from "./writing.ts";

// Typical tasks of assistants, with the text that hosts without structured content show to a model.

let system: System;
beforeAll(async () => {
  system = await System.start({ SUPPORT_ADDRESS: "help@example.com" });
}, 90_000);
afterAll(() => system[Symbol.asyncDispose]());

describe("with only the text of the replies:", () => {
  describeWriting(() => system);
  describeRefusals(() => system);
  describeReading(() => system);
});
