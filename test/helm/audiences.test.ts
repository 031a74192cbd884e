import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { environmentOf } from "./environment.ts";
import type { Fields, Manifest } from "./helm.ts";
import { CHART, isWithoutHelm, render, template } from "./helm.ts";
import { componentOf, podsOf } from "./pods.ts";

const VALUES = readdirSync(join(CHART, "ci"));
const SERVICES = ["analysis", "auth", "gateway", "journal", "limits", "web"];
const MONITORING = { namespaceSelector: { matchLabels: { team: "monitoring" } } };
const SCRAPED = ["--set", "telemetry.serviceMonitor.enabled=true"];
const FROM_MONITORING = [
  "--set-json",
  `networkPolicy.operationsFrom=${JSON.stringify([MONITORING])}`,
];

interface ServicePort {
  readonly name: string;
  readonly port: number;
}

interface IngressRule {
  readonly from?: readonly unknown[];
  readonly ports?: readonly { readonly port: string | number }[];
}

const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
const portsOf = ({ spec }: Manifest) => spec?.["ports"] as readonly ServicePort[];
const typeOf = ({ spec }: Manifest) => spec?.["type"] ?? "ClusterIP";
const specOf = ({ spec }: Manifest): Fields => spec ?? {};

/** Every rule of the network policies that lets somebody reach an operations port. */
function operationsRules(manifests: readonly Manifest[]): IngressRule[] {
  const rules = ofKind(manifests, "NetworkPolicy").flatMap(
    (policy) => (specOf(policy)["ingress"] ?? []) as IngressRule[],
  );
  return rules.filter(({ ports }) => !ports || ports.some(({ port }) => port === "operations"));
}

function hopsOf(manifests: readonly Manifest[]): string | undefined {
  const gateway = podsOf(manifests).find(({ owner }) => componentOf(owner) === "gateway");
  return environmentOf(gateway!.pod.containers[0]!)["TRUST_PROXY_HOPS"];
}

describe.skipIf(isWithoutHelm())("the chart's Services", () => {
  it.each(VALUES)("with %s: each is for one audience, with one port", (values) => {
    for (const service of ofKind(render(values), "Service")) {
      expect(portsOf(service), service.metadata.name).toHaveLength(1);
    }
  });

  it.each(["LoadBalancer", "NodePort"])(
    "a %s publishes the gateway's pages and API only",
    (type) => {
      const manifests = render("minimal.yaml", "--set", `publicService.type=${type}`);
      const published = ofKind(manifests, "Service").filter((each) => typeOf(each) !== "ClusterIP");
      expect(published.map(({ metadata }) => metadata.name)).toEqual([
        "release-nutrition-journal-gateway",
      ]);
      expect(published.flatMap(portsOf)).toEqual([{ name: "http", port: 80, targetPort: "http" }]);
    },
  );

  it.each(VALUES)("with %s: every address in the settings is that of a Service", (values) => {
    const manifests = render(values);
    const names = ofKind(manifests, "Service").flatMap(({ metadata, ...service }) =>
      portsOf({ metadata, ...service }).map(({ port }) => `${metadata.name}.journal.svc:${port}`),
    );
    const variables = podsOf(manifests).flatMap(({ pod }) =>
      pod.containers.flatMap(({ env = [] }) => env),
    );
    const addresses = variables.flatMap(({ value = "" }) => /[\w-]+\.journal\.svc:\d+/.exec(value));
    const known = addresses.filter((address) => address !== null);
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter((address) => !names.includes(address))).toEqual([]);
  });

  it("certificates hold for every name under which gRPC is served", () => {
    const manifests = render("production.yaml");
    const certified = ofKind(manifests, "Certificate").flatMap(
      (certificate) => specOf(certificate)["dnsNames"] as string[],
    );
    const served = ofKind(manifests, "Service").filter((service) =>
      portsOf(service).some(({ name }) => name === "grpc"),
    );
    expect(served.length).toBe(SERVICES.length);
    for (const { metadata } of served) expect(certified).toContain(`${metadata.name}.journal.svc`);
  });
});

describe.skipIf(isWithoutHelm())("the chart's operations ports", () => {
  it.each(["minimal.yaml", "trial.yaml", "http-route.yaml"])(
    "with %s: nobody reaches them, and no Service leads to them",
    (values) => {
      const manifests = render(values);
      expect(operationsRules(manifests)).toEqual([]);
      const names = ofKind(manifests, "Service")
        .flatMap(portsOf)
        .map(({ name }) => name);
      expect(names).not.toContain("operations");
    },
  );

  it("are open for exactly the peers that are named", () => {
    const rules = operationsRules(render("minimal.yaml", ...FROM_MONITORING));
    expect(rules).toHaveLength(SERVICES.length);
    for (const { from } of rules) expect(from).toEqual([MONITORING]);
  });

  it("a ServiceMonitor without a way in is refused, and the message says what to set", () => {
    const { succeeded, output } = template("minimal.yaml", ...SCRAPED);
    expect(succeeded).toBe(false);
    expect(output).toContain(
      "set networkPolicy.operationsFrom to the peers that Prometheus runs as",
    );
    const open = ["--set", "networkPolicy.enabled=false"];
    expect(template("minimal.yaml", ...SCRAPED, ...open).succeeded).toBe(true);
  });

  it("a ServiceMonitor scrapes every service once, as the job that the alerts expect", () => {
    const manifests = render("minimal.yaml", ...SCRAPED, ...FROM_MONITORING);
    const [monitor] = ofKind(manifests, "ServiceMonitor");
    const { jobLabel, selector } = specOf(monitor!) as unknown as {
      jobLabel: string;
      selector: { matchLabels: Record<string, string> };
    };
    const scraped = ofKind(manifests, "Service").filter(({ metadata: { labels = {} } }) =>
      Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value),
    );
    expect(scraped.flatMap(portsOf).every(({ name }) => name === "operations")).toBe(true);
    expect(scraped.map(({ metadata }) => metadata.labels?.[jobLabel]).sort()).toEqual(SERVICES);
  });
});

describe.skipIf(isWithoutHelm())("the chart trusts as many proxies", () => {
  it.each([
    ["nothing is in front", "minimal.yaml", [], "0"],
    ["a load balancer that only passes connections on", "load-balancer.yaml", [], "0"],
    ["an Ingress", "production.yaml", [], "1"],
    ["an HTTPRoute", "http-route.yaml", [], "1"],
    ["an Ingress behind a proxy", "production.yaml", ["--set", "trustProxyHops=2"], "2"],
    ["proxies of one's own", "minimal.yaml", ["--set", "trustProxyHops=1"], "1"],
    ["an Ingress that sets no header", "production.yaml", ["--set", "trustProxyHops=0"], "0"],
  ])("as are in front: %s", (_what, values, settings, hops) => {
    expect(hopsOf(render(values, ...settings))).toBe(hops);
  });

  it("and refuses a load balancer beside an Ingress, which would be a way around it", () => {
    const beside = ["--set", "publicService.type=LoadBalancer"];
    for (const values of ["production.yaml", "http-route.yaml"]) {
      const { succeeded, output } = template(values, ...beside);
      expect(succeeded).toBe(false);
      expect(output).toContain("opens a way around the Ingress or HTTPRoute");
    }
    const [gateway] = ofKind(render("load-balancer.yaml"), "Service").filter(
      (each) => typeOf(each) === "LoadBalancer",
    );
    expect(specOf(gateway!)).toMatchObject({ externalTrafficPolicy: "Local" });
  });

  it("and lets node ports beside an Ingress only if the operator says how many proxies there are", () => {
    const nodePort = ["--set", "publicService.type=NodePort"];
    const { succeeded, output } = template("production.yaml", ...nodePort);
    expect(succeeded).toBe(false);
    expect(output).toContain("set trustProxyHops");
    expect(template("production.yaml", ...nodePort, "--set", "trustProxyHops=1").succeeded).toBe(
      true,
    );
    const [gateway] = ofKind(render("minimal.yaml", ...nodePort), "Service").filter(
      (each) => typeOf(each) === "NodePort",
    );
    expect(specOf(gateway!)).toMatchObject({ externalTrafficPolicy: "Local" });
  });
});

it.skipIf(isWithoutHelm()).each(["production.yaml", "minimal.yaml"])(
  "with %s: pods get the certificate of the database's authority, never its private key",
  (values) => {
    const pods = podsOf(render(values)).map(({ pod }) => pod as unknown as Fields);
    const volumes = pods.flatMap(({ volumes: all = [] }) => all as (Fields & { name: string })[]);
    const authorities = volumes.filter(({ name }) => name === "database-ca");
    // Four services and the migration.
    expect(authorities).toHaveLength(5);
    for (const { secret } of authorities) {
      expect(secret).toMatchObject({ items: [{ key: "ca.crt", path: "ca.crt" }] });
    }
  },
);
