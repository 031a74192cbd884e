import { expect } from "vitest";

import type { Assistant, ToolResult } from "../e2e/assistants.ts";

export type Arguments = Record<string, unknown>;

export interface Item {
  id: string;
  description: string;
}

/** The day that `logDay` logs on. */
export const DAY = "2026-03-10";

/** The error of a refused call; fails if it was not refused or has no message. */
export function errorOf({ isError, structured, text }: ToolResult): Record<string, unknown> {
  expect(isError, text).toBe(true);
  expect(structured).toBeUndefined();
  const error = JSON.parse(text) as Record<string, unknown>;
  expect(error).toMatchObject({ message: expect.stringMatching(/.{10}\.$/s) as string });
  return error;
}

/** The result of a call; fails when it was refused. */
export async function succeed(
  assistant: Assistant,
  name: string,
  args: Arguments,
): Promise<Arguments> {
  const { isError, structured, text } = await assistant.call(name, args);
  expect(isError, text).toBe(false);
  return structured ?? {};
}

/** The summary of a day; today if absent. */
export async function summaryOf(assistant: Assistant, date?: string): Promise<Arguments> {
  return succeed(assistant, "get_nutrition_summary", date === undefined ? {} : { date });
}

/** Logs a day of four items and returns them. */
export async function logDay(assistant: Assistant): Promise<Item[]> {
  const food_text = "2 scrambled eggs\n3 scrambled eggs\n1 apple\n1 banana";
  const logged = await succeed(assistant, "log_food", { food_text, date: DAY });
  return logged["items"] as Item[];
}
