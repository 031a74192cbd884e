import { expect, it } from "vitest";

import { LinkedList } from "./linked-list.ts";

it("iterates in insertion order and skips removed values", () => {
  const list = new LinkedList<string>();
  list.push("a");
  const middle = list.push("b");
  list.push("c");
  list.remove(middle);
  expect([list.size, list.shift(), list.shift(), list.shift()]).toEqual([2, "a", "c", undefined]);
});

it("unlinks a removed node, so that it cannot keep later ones in memory", () => {
  const list = new LinkedList<string>();
  const first = list.push("a");
  list.push("b");
  list.shift();
  expect([first.previous, first.next]).toEqual([undefined, undefined]);
});
