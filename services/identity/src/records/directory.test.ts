import { expect, test } from "vitest";

import { Directory } from "./directory.ts";
import type { Client } from "./records.ts";

function newClient(id: string): Client {
  const metadata = { name: "", uri: "", logoUri: "", redirectUris: [], grantTypes: [] };
  return { ...metadata, id, authMethod: "none", createdAt: "" };
}

test("open registration never evicts a client with a grant", () => {
  const directory = new Directory();
  directory.insertClient(newClient("allowed"));
  directory.putGrant({ userId: "u", clientId: "allowed", scopes: [], grantedAt: "" });
  for (let index = 0; index < 1_500; index += 1) {
    expect(directory.insertClient(newClient(`flood ${index}`))).toBe(true);
  }
  expect(directory.getClient("allowed")).toBeDefined();
  expect(directory.getClient("flood 0")).toBeUndefined();
  expect(directory.snapshot().clients).toHaveLength(1_000);
});

test("refuses a new client when every client is in use", () => {
  const directory = new Directory();
  for (let index = 0; index < 1_000; index += 1) {
    directory.insertClient(newClient(`${index}`));
    directory.putGrant({ userId: "u", clientId: `${index}`, scopes: [], grantedAt: "" });
  }
  expect(directory.insertClient(newClient("one more"))).toBe(false);
});
