import { expect, it, vi } from "vitest";
import { z } from "zod";

import { schemaOf } from "../../schemas/json-schema.ts";
import { ToolError } from "../tool-error.ts";
import { parseArguments } from "./arguments.ts";

const input = z.strictObject({ food_text: z.string(), date: z.string().optional() });
const tool = { name: "log_food", input, inputSchema: schemaOf(input) };

it("validates the tool's inputs and one unknown one, however many are given", () => {
  const unknown = Array.from({ length: 20_000 }, (_, at) => [`u${at}`, 1]);
  const validate = vi.spyOn(input, "safeParse");
  const call = () => parseArguments(tool, { food_text: "1 egg", ...Object.fromEntries(unknown) });
  expect(call).toThrow(ToolError);
  expect(call).toThrow('log_food has no input "u0". It takes food_text, date.');
  expect(validate.mock.calls[0]?.[0]).toEqual({ food_text: "1 egg", u0: 1 });
});
