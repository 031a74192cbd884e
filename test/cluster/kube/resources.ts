import type { KubeClient, KubeObject } from "./client.ts";

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Maps kinds of objects to paths of the API server. */
export class Resources {
  readonly #client: KubeClient;
  readonly #byVersion = new Map<string, Promise<readonly Resource[]>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Path of the collection that an object belongs to; undefined when the server knows no such kind. */
  async collectionOf(
    { apiVersion = "v1", kind }: KubeObject,
    namespace: string,
  ): Promise<string | undefined> {
    const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let resources = this.#byVersion.get(base);
    if (!resources) this.#byVersion.set(base, (resources = this.#discover(base)));
    const resource = (await resources).find((one) => one.kind === kind && !one.name.includes("/"));
    if (!resource) return undefined;
    const within = resource.namespaced ? `/namespaces/${namespace}` : "";
    return `${base}${within}/${resource.name}`;
  }

  /** Everything in a namespace that can be listed, as `Kind/name`; without events. */
  async everythingIn(namespace: string): Promise<string[]> {
    const groups = (await this.#client.get("/apis")) as unknown as { groups: readonly Group[] };
    const versions = groups.groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
    const bases = ["/api/v1", ...versions.map((version) => `/apis/${version}`)];
    const found = await Promise.all(bases.map((base) => this.#listAll(base, namespace)));
    return [...new Set(found.flat())].sort();
  }

  async #listAll(base: string, namespace: string): Promise<string[]> {
    const resources = (await this.#discover(base)).filter(
      ({ kind, namespaced, verbs }) => namespaced && verbs.includes("list") && kind !== "Event",
    );
    const lists = resources.map(async ({ name, kind }) => {
      const objects = await this.#client.list(`${base}/namespaces/${namespace}/${name}`);
      return objects.map(({ metadata }) => `${kind}/${metadata.name}`);
    });
    return (await Promise.all(lists)).flat();
  }

  async #discover(base: string): Promise<readonly Resource[]> {
    const answer = await this.#client.get(base).catch(() => undefined);
    return (answer as { resources?: readonly Resource[] } | undefined)?.resources ?? [];
  }
}

interface Group {
  readonly preferredVersion: { readonly groupVersion: string };
}
