import { readdirSync } from "node:fs";
import { join } from "node:path";

import { DASHBOARDS } from "@nutrition/observability/dashboards/all";
import { readDatabaseConfig } from "@nutrition/setup/config";
import { CONNECTIONS } from "@nutrition/setup/database/prepare-database";
import { describe, expect, it } from "vitest";

import { environmentOf } from "./environment.ts";
import { edgesOf } from "./edges.ts";
import type { Manifest } from "./helm.ts";
import { CHART, helm, isWithoutHelm, render, template } from "./helm.ts";
import { calleesOf, componentOf, podsOf } from "./pods.ts";

const VALUES = readdirSync(join(CHART, "ci"));
const SERVICES = ["analysis", "auth", "gateway", "journal", "limits", "web"];
/** Pods that run to completion. */
const JOBS = ["migrate", "secrets", "test"];
const SECRET = /key|password|pepper|secret|token/i;

describe.skipIf(isWithoutHelm())("the chart", () => {
  it("has at least six sets of values for tests", () => {
    expect(VALUES.length).toBeGreaterThanOrEqual(6);
  });

  describe.each(VALUES)("with %s", (values) => {
    const manifests = isWithoutHelm() ? [] : render(values);
    const pods = podsOf(manifests);

    it("passes helm lint", () => {
      const { succeeded, output } = helm("lint", CHART, "-f", join(CHART, "ci", values));
      expect(succeeded, output).toBe(true);
    });

    it("runs every service", () => {
      const deployed = manifests.filter(({ kind }) => kind === "Deployment").map(componentOf);
      expect(deployed).toEqual(expect.arrayContaining(SERVICES));
    });

    it("gives no container more rights than the restricted Pod Security Standard", () => {
      for (const { pod } of pods) {
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        });
        for (const container of pod.containers) {
          expect(container.securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
        }
      }
    });

    it("gives a cluster token only to the job that creates secrets", () => {
      const withToken = pods.filter(({ pod }) => pod.automountServiceAccountToken !== false);
      expect(
        withToken.map(({ owner }) => componentOf(owner)).filter((name) => name !== "secrets"),
      ).toEqual([]);
    });

    it("sets memory limits and requests for every container", () => {
      for (const { pod } of pods) {
        for (const { resources } of pod.containers) {
          expect(resources?.requests).toMatchObject({
            cpu: expect.anything(),
            memory: expect.anything(),
          });
          expect(resources?.limits?.memory).toBeDefined();
        }
      }
    });

    it("has probes for every long-running container", () => {
      for (const { owner, pod } of pods) {
        if (JOBS.includes(componentOf(owner)) || owner.kind === "StatefulSet") continue;
        for (const container of pod.containers) {
          expect(container).toMatchObject({
            startupProbe: { httpGet: { path: "/readyz" } },
            readinessProbe: { httpGet: { path: "/readyz" } },
            livenessProbe: { httpGet: { path: "/livez" } },
          });
        }
      }
    });

    it("reads every secret value from a Secret", () => {
      for (const { pod } of pods) {
        for (const variable of pod.containers.flatMap(({ env = [] }) => env)) {
          if (!SECRET.test(variable.name) || /_FILE$|_VERSION$/.test(variable.name)) continue;
          expect(variable.valueFrom, variable.name).toHaveProperty("secretKeyRef");
        }
      }
      expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
    });

    it("each port of a Service targets a port of its containers", () => {
      for (const service of manifests.filter(({ kind }) => kind === "Service")) {
        const owner = pods.find(({ owner }) => componentOf(owner) === componentOf(service));
        const ports = owner?.pod.containers.flatMap(({ ports = [] }) => ports) ?? [];
        const containerPorts = ports.flatMap(({ name, containerPort }) => [name, containerPort]);
        for (const { port, targetPort = port } of (service.spec?.["ports"] ?? []) as {
          port: number;
          targetPort?: string | number;
        }[]) {
          expect(containerPorts, service.metadata.name).toContain(targetPort);
        }
      }
    });

    it("allows exactly the calls that services make", () => {
      const calls = pods
        .filter(({ owner }) => owner.kind === "Deployment")
        .flatMap(({ owner, pod }) =>
          calleesOf(pod).map((callee) => `${componentOf(owner)}>${callee}`),
        )
        .filter((call) => !/^(\w+)>\1$/.test(call))
        .sort();
      const isOfServices = (edge: string) => !/postgres|migrate|test|admin/.test(edge);
      expect(edgesOf(manifests, "ingress").filter(isOfServices)).toEqual(calls);
      expect(edgesOf(manifests, "egress").filter(isOfServices)).toEqual(calls);
    });

    it("denies everything else by default", () => {
      const [deny] = manifests.filter(({ metadata }) => metadata.name.endsWith("-deny-all"));
      expect(deny?.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
      expect(deny?.spec).not.toHaveProperty("ingress");
      expect(deny?.spec).not.toHaveProperty("egress");
    });

    it("never removes a pod before another one is ready", () => {
      for (const { kind, spec } of manifests) {
        if (kind !== "Deployment") continue;
        expect(spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 0 } } });
      }
    });
  });

  it.each([
    ["--set=publicUrl=journal.example.com", "publicUrl"],
    ["--set=publicUrl=http://journal.example.com", "publicUrl"],
    ["--set=replicas=3", "replicas"],
    ["--set=workloads.gatway.replicas=3", "gatway"],
    ["--set=defaults.replicas=0", "replicas"],
    ["--set=internalTls.mode=none", "mode"],
    ["--set=identityProvider.bundled=true", "bundled"],
    ["--set=image.digests.web=latest", "digests"],
    ["--set=secrets.existing=", "Secrets are never values"],
    ["--set=database.host=", "database.host"],
    ["--set=identityProvider.url=", "identityProvider.url"],
  ])("refuses %s and names %s", (setting, named) => {
    const { succeeded, output } = template("minimal.yaml", setting);
    expect(succeeded).toBe(false);
    expect(output).toContain(named);
  });

  it("gives services each of several database hosts with its port", () => {
    const { output } = template("minimal.yaml", "--set=database.host=db-1\\,db-2");
    expect(output).toContain("@db-1:5432,db-2:5432/");
  });

  it("lets only web reach the mail server, and only if there is one", () => {
    const mailersOf = (manifests: readonly Manifest[]) =>
      manifests
        .filter(
          ({ kind, spec }) =>
            kind === "NetworkPolicy" && /"port":(465|587)\b/.test(JSON.stringify(spec)),
        )
        .map(componentOf);
    expect(mailersOf(render("production.yaml"))).toEqual(["web"]);
    expect(mailersOf(render("minimal.yaml"))).toEqual([]);
  });

  it("refuses a mail server without a sender", () => {
    const refused = template("production.yaml", "--set", "mail.from=");
    expect(refused.succeeded).toBe(false);
    expect(refused.output).toContain("mail.from is required");
  });

  it("gives the bundled PostgreSQL enough connections for its roles", () => {
    const manifests = render("trial.yaml");
    const database = manifests.find(({ kind }) => kind === "StatefulSet");
    const [, most] = /max_connections=(\d+)/.exec(JSON.stringify(database)) ?? [];
    const job = podsOf(manifests).find(({ owner }) => componentOf(owner) === "migrate");
    const { instancesMax = 0 } = readDatabaseConfig(environmentOf(job!.pod.containers[0]!));
    const perInstance = Object.values(CONNECTIONS).reduce((sum, count) => sum + count, 0);
    expect(Number(most)).toBe(instancesMax * perInstance + 20);
  });

  it("includes the alert rules and every dashboard", () => {
    const manifests = render("production.yaml");
    const rules = manifests.find(({ kind }) => kind === "PrometheusRule");
    expect(rules?.spec).toHaveProperty("groups.0.rules.0.expr");
    const dashboards = manifests.filter(({ metadata }) => metadata.name.includes("-dashboard-"));
    expect(dashboards.length).toBe(DASHBOARDS.length);
    for (const { data = {} } of dashboards) {
      for (const text of Object.values(data)) expect(JSON.parse(text)).toHaveProperty("panels");
    }
  });

  it("verifies the certificate of a CloudNativePG cluster, for the administrator as well", () => {
    const pods = podsOf(render("production.yaml"));
    const addresses = pods.flatMap(({ pod }) =>
      pod.containers
        .flatMap(({ env = [] }) => env)
        .flatMap(({ value = "" }) => (value.startsWith("postgres://") ? [value] : [])),
    );
    expect(addresses.length).toBe(5);
    for (const address of addresses) {
      expect(address).toMatch(/-db-rw:5432\/nutrition\?sslmode=verify-full&sslrootcert=\/etc\//);
    }
  });

  it("leaves the number of replicas to the autoscaler if there is one", () => {
    const scaled = render("production.yaml").filter(({ kind }) => kind === "Deployment");
    for (const { spec } of scaled) expect(spec).not.toHaveProperty("replicas");
    expect(scaled.length).toBe(SERVICES.length);
  });
});
