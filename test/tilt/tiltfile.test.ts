import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

import { podsOf } from "../helm/pods.ts";
import { copiedPaths, isWithin, readDockerfile } from "../images/dockerfile.ts";
import { IMAGES } from "../images/names.ts";
import type { ImageBuild, Resource, Sync } from "./tiltfile.ts";
import { readTiltfile, TILTFILE } from "./tiltfile.ts";
import { isWithoutTilt, runTilt } from "./with-tilt.ts";

const FOLDER = join(TILTFILE, "..");
const ROOT = join(FOLDER, "..");
const SERVICES = ["analysis", "auth", "gateway", "identity", "journal", "limits", "web"];
const PREFIX = "nutrition-journal/";

const tiltfile = readTiltfile();

describe.skipIf(tiltfile === undefined)("the Tiltfile", () => {
  const { images = [], manifests = [], resources = [], tasks = [] } = tiltfile ?? {};
  const pods = podsOf(manifests);
  const named = (name: string) =>
    resources.find((resource) => resource.new_name === name) as Resource;

  it("names every workload of the chart, and no other", () => {
    const workloads = pods.map(({ owner }) => owner.metadata.name).sort();
    expect(resources.map(({ workload }) => workload).sort()).toEqual(workloads);
  });

  it("builds the image of each of our containers, and no unused ones", () => {
    const used = pods.flatMap(({ pod }) => pod.containers.map(({ image }) => image));
    const ours = used.filter((image) => image.startsWith(PREFIX));
    const names = new Set(ours.map((image) => image.split(":")[0]));
    expect(images.map(({ ref }) => ref).sort()).toEqual([...names].sort());
    // Tilt does not run the chart's test, whose pod is the operator's command line.
    const deployed = IMAGES.filter((name) => name !== "admin");
    expect([...names].sort()).toEqual(deployed.map((name) => PREFIX + name));
  });

  it.each(SERVICES)("copies changed files of %s to where its image has them", (service) => {
    const image = images.find(({ ref }) => ref === PREFIX + service) as ImageBuild;
    expect(image.build_args.SERVICE).toBe(service);
    expect(image.entrypoint).toEqual(["node", "--watch", "main.ts"]);
    const [installs, ...syncs] = image.live_update;
    const manifestsOf = (installs as { files: readonly string[] }).files;
    expect(manifestsOf).toContain(`../services/${service}/package.json`);
    for (const file of manifestsOf)
      expect([file, existsSync(join(FOLDER, file))]).toEqual([file, true]);
    const paths = (syncs as Sync[]).map(({ local_path, remote_path }) => {
      expect(remote_path).toBe(posix.join("/app", local_path.replace("../", "")));
      return local_path.replace("../", "");
    });
    expect(paths).toContain(`services/${service}`);
    for (const path of paths) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      expect(isWithin(path, image.only)).toBe(true);
    }
  });

  it("gives each build everything that the Dockerfile copies, writable by its user", () => {
    for (const { only, dockerfile_contents: text, build_args: args } of images) {
      const copied = copiedPaths(args.SERVICE, readDockerfile(text));
      expect(copied.length).toBeGreaterThan(5);
      expect(copied.filter((path) => !isWithin(path, only))).toEqual([]);
      expect(text).toMatch(/chown -R 10001:10001 \/app\nUSER 10001:10001\n$/);
    }
  });

  it("relaxes only the read-only file system of services in the chart's security", () => {
    for (const { owner, pod } of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      for (const { securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: owner.kind !== "Deployment",
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("starts everything after its dependencies", () => {
    const after = (name: string): string[] =>
      named(name).resource_deps.flatMap((each) => [each, ...after(each)]);
    expect(after("migrate")).toEqual(["postgres", "secrets"]);
    for (const name of ["auth", "journal", "limits", "analysis"]) {
      expect(after(name)).toContain("migrate");
    }
    expect(after("gateway")).toEqual(
      expect.arrayContaining(SERVICES.filter((name) => name !== "gateway")),
    );
  });

  it("forwards existing ports of containers, each from a distinct port", () => {
    const forwards = resources.flatMap(({ workload, port_forwards: all }) =>
      all.map((each) => ({ workload, ports: each.split(":").map(Number) })),
    );
    for (const { workload, ports } of forwards) {
      const { pod } = pods.find(({ owner }) => owner.metadata.name === workload) ?? {};
      const containerPorts = pod?.containers.flatMap(({ ports: own = [] }) => own) ?? [];
      expect(containerPorts.map(({ containerPort }) => containerPort)).toContain(ports[1]);
    }
    const local = forwards.map(({ ports }) => ports[0]);
    expect(new Set(local).size).toBe(local.length);
    for (const { url } of resources.flatMap(({ links }) => links)) {
      expect(local).toContain(Number(new URL(url).port));
    }
  });

  it("has buttons for tests, checks, seed data and generated code, which are started manually only", () => {
    expect(tasks.map(({ name }) => name).sort()).toEqual(["check", "generate", "seed", "tests"]);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const { cmd, auto_init, trigger_mode, resource_deps } of tasks) {
      expect([auto_init, trigger_mode]).toEqual([false, "manual"]);
      for (const name of resource_deps) expect(named(name)).toBeDefined();
      const [, script] = /^npm (?:run )?(\w+)$/.exec(cmd) ?? [];
      if (script === undefined) accessSync(join(ROOT, cmd), constants.X_OK);
      else expect(scripts).toHaveProperty(script);
    }
  });

  it("seeds through the forwarded ports", () => {
    const text = readFileSync(join(FOLDER, "seed.sh"), "utf8");
    const addresses = [...text.matchAll(/(\w+)_(?:ADDRESS|URL)=\S*?127\.0\.0\.1:(\d+)/g)];
    expect(addresses).toHaveLength(3);
    for (const [, name = "", port] of addresses) {
      const resource = name === "BASE" ? "gateway" : name.toLowerCase();
      expect(named(resource).port_forwards.map((each) => each.split(":")[0])).toContain(port);
    }
  });
});

it.skipIf(tiltfile === undefined || isWithoutTilt())(
  "Tilt itself interprets the Tiltfile in the same way",
  async () => {
    const { resources, problem } = await runTilt();
    expect(problem).toBe("");
    const understood = resources.map(({ Name, ResourceDependencies }) => [
      Name,
      ResourceDependencies ?? [],
    ]);
    const written = [
      ...(tiltfile?.resources ?? []).map(({ new_name, resource_deps }) => [
        new_name,
        resource_deps,
      ]),
      ...(tiltfile?.tasks ?? []).map(({ name, resource_deps }) => [name, resource_deps]),
    ];
    expect(understood).toEqual(expect.arrayContaining(written));
  },
);

it("the cluster for Tilt pulls from the registry beside it", () => {
  const text = readFileSync(join(FOLDER, "cluster.yaml"), "utf8");
  const [registry, cluster] = parseAllDocuments(text).map(
    (document) => document.toJS() as { kind: string; name: string; registry?: string },
  );
  expect([registry?.kind, cluster?.kind]).toEqual(["Registry", "Cluster"]);
  expect(cluster?.registry).toBe(registry?.name);
});
