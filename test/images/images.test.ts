import { execFile } from "node:child_process";
import { globSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectAssistant } from "../e2e/assistants.ts";
import { ComposedSystem } from "./composed-system.ts";
import { ContainerProcess } from "./container-process.ts";
import { CONTEXT } from "./dockerfile.ts";
import { ImageFolders } from "./image.ts";
import { IMAGES } from "./names.ts";

/** On exit, prints whether Node had to strip types. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const strips = process.moduleLoadList.some((name) => name.includes("/amaro/"));
    console.log(strips ? "strips types" : "is compiled");
  });`)}`;
const WITH_DATABASE = ["analysis", "auth", "journal", "limits"];

let folder: string;
let images: ImageFolders;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-images-"));
  await chmod(folder, 0o755);
  await mkdir(join(folder, "images"));
  images = new ImageFolders(join(folder, "images"));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 3 }));

describe.each(IMAGES)("the image of %s", (name) => {
  it("builds from only the files that the Dockerfile copies", async () => {
    const { root, entrypoint } = await images.of(name);
    expect(readdirSync(join(root, "app/services"))).toContain(name);
    expect(entrypoint).toEqual(["node", "main.ts"]);
  });

  it("holds compiled code that its process finds", async () => {
    const image = await images.of(name);
    const process = new ContainerProcess(image, {
      words: ["node", `--import=${PROBE}`, "main.ts"],
      environment: { PORT: "none" },
      account: image.account,
    });
    await process.ended;
    expect(process.output).toContain("is compiled");
  });

  it("has nothing that the account of its process may change", async () => {
    const { root, account } = await images.of(name);
    const uid = account?.uid ?? -1;
    const test = ["-perm", "-002", "-o", "-uid", String(uid)];
    const args = [root, "!", "-type", "l", "(", ...(account ? test : test.slice(0, 2)), ")"];
    expect((await promisify(execFile)("find", args)).stdout).toBe("");
  });
});

describe("the containers of deploy/compose.yaml, from their images alone", () => {
  let system: ComposedSystem;
  let key: string;
  const stack = new AsyncDisposableStack();
  beforeAll(async () => {
    const redis = isWithoutRedis() ? undefined : stack.use(await startRedis());
    const place = join(folder, "volumes");
    await mkdir(place);
    system = stack.use(await ComposedSystem.start(place, images, redis));
    const admin = async (...args: string[]) => {
      const { code, output } = await system.run("admin", ...args, "--json");
      expect(code, output).toBe(0);
      return JSON.parse(output) as { key?: string };
    };
    await admin("accounts", "create", "--email", "ada@example.com", "--premium");
    const scopes = ["--scopes", "service.read,nutrition.write"];
    ({ key = "" } = await admin("keys", "create", "--account", "ada@example.com", ...scopes));
  });
  afterAll(() => stack.disposeAsync());

  it("setup migrates the schema of each service to its newest version", async () => {
    await using client = await connect(system.databaseUrl);
    for (const service of WITH_DATABASE) {
      const files = globSync(`services/${service}/migrations/*.sql`, { cwd: CONTEXT });
      const versions = files.sort().map((file) => Number.parseInt(basename(file), 10));
      const { rows } = await client.query<{ version: number }>(
        `select version from ${service}.schema_migrations order by version`,
      );
      expect([service, rows.map(({ version }) => version)]).toEqual([service, versions]);
    }
  });

  it("an assistant logs a food, and a script reads it back", async () => {
    await using assistant = await connectAssistant(system.baseUrl, key);
    const logged = await assistant.call("log_food", { food_text: "100 g almonds" });
    expect(logged).toMatchObject({ isError: false });
    const response = await fetch(`${system.baseUrl}/api/v1/food-entries`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("almonds"),
    ]);
  });

  it("a person sees the page to sign in", async () => {
    const response = await fetch(`${system.baseUrl}/sign-in`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/<h1/);
  });

  it("the operator's doctor finds nothing wrong", async () => {
    const { code, output } = await system.run("admin", "doctor");
    expect(code, output).toBe(0);
  });
});

async function connect(connectionString: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
