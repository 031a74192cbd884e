import { beforeAll, describe, expect, it } from "vitest";

import { findViolations } from "./architecture/rules.ts";
import type { Package } from "./architecture/repository.ts";
import { packageOf, readPackages, readSources } from "./architecture/repository.ts";

let packages: Package[];
beforeAll(() => {
  packages = readPackages();
});

it("the matrix allows every import in the repository, and no imports form a cycle", () => {
  expect(findViolations(readSources(), packages)).toEqual([]);
});

/** The reasons for which a file with this text would be refused at `path`. */
function plant(path: string, text: string): string[] {
  return findViolations([{ path, text }], packages).filter((one) => one.startsWith(`${path} `));
}

describe("an import against the matrix is refused", () => {
  it.each([
    ["a store in the domain", "journal/src/domain", "../store/entry-store.ts"],
    ["a store in a nested folder of the domain", "journal/src/domain/deep", "../../store/a.ts"],
    ["a message in the domain", "journal/src/domain", "@nutrition/proto/nutrition/journal/v1/a_pb"],
    ["a database in the domain", "limits/src/domain", "@nutrition/postgres/database"],
    ["a file in the domain", "auth/src/domain", "node:fs/promises"],
    ["an HTTP server in the domain", "web/src/domain", "express"],
    ["a method in an operation", "journal/src/operations", "../rpc/write-tools.ts"],
    ["a client in an operation", "journal/src/operations", "../clients/limits-client.ts"],
    ["the call context of rpc in an operation", "journal/src/operations", "@nutrition/rpc/context"],
    ["a message in an operation", "auth/src/operations", "@nutrition/proto/nutrition/auth/v1/a_pb"],
    ["a wire format in an operation", "limits/src/operations", "@bufbuild/protobuf"],
    ["an operation in a store", "auth/src/store", "../operations/sign-in.ts"],
    ["a method in a store", "limits/src/store", "../rpc/count.ts"],
    ["a message in a store", "analysis/src/store", "@nutrition/proto/nutrition/analysis/v1/a_pb"],
    ["the assembly in a method", "limits/src/rpc", "../service.ts"],
    ["the configuration in a method", "auth/src/rpc", "../config.ts"],
    ["access in the gateway's http", "gateway/src/http", "../access/admission.ts"],
    ["access in the gateway's clients", "gateway/src/clients", "../access/visit.ts"],
    ["clients in the gateway's schemas", "gateway/src/schemas", "../clients/backends.ts"],
    ["MCP in the gateway's routes", "gateway/src/routes", "../mcp/endpoint.ts"],
    ["decisions in an operation", "limits/src/operations", "../decisions/decider.ts"],
    ["sessions in the clients of the pages", "web/src/clients", "../sessions/session.ts"],
    ["a page in the pages' http", "web/src/http", "../pages/notice.ts"],
    [
      "Supabase in a page",
      "web/src/pages/consent",
      "../../identity-provider/supabase/supabase-auth.ts",
    ],
    ["Supabase in a session", "web/src/sessions", "../identity-provider/supabase/own-sessions.ts"],
    ["token claims in a page", "web/src/pages/keys", "@nutrition/oauth/token-claims"],
    ["a test in a service", "web/src/http", "../../test/browser.ts"],
    ["a room without a row", "auth/src/helpers", "../domain/key.ts"],
  ])("%s", (_name, folder, target) => {
    const path = `services/${folder}/planted.ts`;
    const found = plant(path, `import { thing } from "${target}";\n\nthing();\n`);
    expect(found).toContainEqual(expect.stringContaining(`${path} imports ${target}: `));
  });

  it.each([
    ["a value", (path: string) => `import { thing } from "${path}";`],
    ["a type", (path: string) => `import type { Thing } from "${path}";`],
    ["a type among values", (path: string) => `import { type Thing } from "${path}";`],
    ["its effect", (path: string) => `import "${path}";`],
    ["a re-export", (path: string) => `export { thing } from "${path}";`],
    ["a re-export of types", (path: string) => `export type { Thing } from "${path}";`],
    ["a re-export of everything", (path: string) => `export * from "${path}";`],
    ["a type in place", (path: string) => `type Thing = import("${path}").Thing;`],
    ["the type of a module", (path: string) => `type Thing = typeof import("${path}");`],
    ["a module at run time", (path: string) => `const thing = await import("${path}");`],
    ["a module in a function", (path: string) => `const f = () => import("${path}");`],
    ["a required module", (path: string) => `const thing = require("${path}");`],
    ["a namespace", (path: string) => `import thing = require("${path}");`],
    ["the address of a module", (path: string) => `const path = import.meta.resolve("${path}");`],
  ])("in any form: %s", (_name, statement) => {
    const path = "services/journal/src/domain/planted.ts";
    for (const target of ["../store/entry-store.ts", "@nutrition/limits/service"]) {
      const found = plant(path, `${statement(target)}\n`);
      expect(found).toContainEqual(expect.stringContaining(`${path} imports ${target}: `));
    }
  });

  it("a computed import", () => {
    const found = plant("services/auth/src/rpc/planted.ts", "await import(`../${room}/a.ts`);\n");
    expect(found).toContainEqual(expect.stringContaining("it is computed"));
  });
});

describe("a service never imports another", () => {
  it.each([
    ["by its package", "services/journal/src/rpc/planted.ts", "@nutrition/limits/domain/policy"],
    [
      "by its folder",
      "services/journal/src/rpc/planted.ts",
      "../../../limits/src/domain/policy.ts",
    ],
    ["its types", "services/web/src/clients/planted.ts", "@nutrition/auth/domain/account"],
    ["the command line", "services/admin/src/planted.ts", "@nutrition/journal/service"],
    ["a nested folder of the command line", "services/admin/src/a/b.ts", "@nutrition/web/service"],
    ["the assembly", "services/auth/src/service.ts", "@nutrition/limits/service"],
    ["a test", "services/journal/test/planted.test.ts", "@nutrition/limits/service"],
    ["a test, by its folder", "services/web/test/planted.ts", "../../journal/test/harness.ts"],
    ["a test beside the code", "services/web/src/domain/a.test.ts", "@nutrition/auth/service"],
    ["by its main module's address", "services/auth/src/rpc/p.ts", "../../../limits/src/main.ts"],
    [
      "the launcher, outside of tests",
      "services/admin/src/planted.ts",
      "@nutrition/test-support/network",
    ],
    ["shared code", "services/shared/core/src/planted.ts", "@nutrition/journal/domain/actor"],
  ])("%s", (_name, path, target) => {
    expect(plant(path, `import { thing } from "${target}";\n`)).toContainEqual(
      expect.stringContaining(`${path} imports ${target}: `),
    );
  });

  it("a module of another service, to run it", () => {
    const text = 'new Worker(new URL("../../../limits/src/main.ts", import.meta.url));\n';
    expect(plant("services/auth/src/rpc/planted.ts", text)).toContainEqual(
      expect.stringContaining("it leaves the package"),
    );
  });
});

describe("a package of the images never lists one that they do not hold", () => {
  it.each([
    ["services/web", "dependencies", "local"],
    ["services/web", "devDependencies", "test-support"],
    ["services/gateway", "peerDependencies", "limits"],
    ["services/admin", "optionalDependencies", "journal"],
    ["services/shared/redis", "devDependencies", "test-support"],
  ])("%s, in its %s: %s", (folder, list, name) => {
    const found = plantManifest(folder, { [list]: { [`@nutrition/${name}`]: "workspace:*" } });
    expect(found).toEqual([
      `${folder}/package.json lists ${name}: deploy/Dockerfile does not copy it`,
    ]);
  });
});

/** Everything that would be refused if the package in `folder` had these lists. */
function plantManifest(folder: string, lists: object): string[] {
  const name = `@nutrition/${folder.split("/").at(-1)}`;
  const planted = packageOf(`${folder}/package.json`, { name, ...lists });
  const others = packages.filter((one) => one.folder !== folder);
  return findViolations([], [...others, planted]);
}

describe("a cycle is found", () => {
  const journal = "services/journal/src";

  it("of two files", () => {
    const text = 'import type { Thing } from "./pair-two.ts";\n';
    const two = { path: `${journal}/domain/pair-two.ts`, text: 'import "./pair-one.ts";\n' };
    const one = { path: `${journal}/domain/pair-one.ts`, text };
    expect(findViolations([one, two], packages)).toContainEqual(
      `${journal}/domain has a cycle of pair-one.ts, pair-two.ts`,
    );
  });

  it("of three folders, only by types", () => {
    const link = (from: string, to: string) => ({
      path: `services/web/src/pages/${from}/a.ts`,
      text: `import type { Thing } from "../${to}/a.ts";\n`,
    });
    const planted = [link("one", "two"), link("two", "three"), link("three", "one")];
    expect(findViolations(planted, packages)).toContainEqual(
      "services/web/src/pages has a cycle of one, three, two",
    );
  });

  it("of a file and a sibling folder", () => {
    const planted = [
      { path: "services/admin/src/foods/a.ts", text: 'import "./inner/b.ts";\n' },
      { path: "services/admin/src/foods/inner/b.ts", text: 'import type { A } from "../a.ts";\n' },
    ];
    expect(findViolations(planted, packages)).toContainEqual(
      "services/admin/src/foods has a cycle of a.ts, inner",
    );
  });
});

it.each([
  ["services/journal/src/domain", "@nutrition/core/civil-date"],
  ["services/journal/src/domain", "./portion.ts"],
  ["services/journal/src/store", "../domain/entry.ts"],
  ["services/journal/src/rpc", "../operations/log-food.ts"],
  ["services/web/src/pages/keys", "../../identity-provider/identity-provider.ts"],
  ["services/journal/test", "@nutrition/test-support/network"],
])("accepts an import that the matrix allows: in %s of %s", (folder, target) => {
  expect(plant(`${folder}/planted.ts`, `import { thing } from "${target}";\n`)).toEqual([]);
});
