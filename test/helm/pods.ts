import type { Manifest } from "./helm.ts";

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly resources?: { readonly requests?: object; readonly limits?: { memory?: string } };
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
}

/** The pod of each object that has one. */
export function podsOf(manifests: readonly Manifest[]): { owner: Manifest; pod: PodSpec }[] {
  return manifests.flatMap((owner) => {
    if (owner.kind === "Pod") return [{ owner, pod: owner.spec as unknown as PodSpec }];
    const template = owner.spec?.["template"] as { spec?: PodSpec } | undefined;
    return template?.spec?.containers ? [{ owner, pod: template.spec }] : [];
  });
}

export function componentOf({ metadata }: Manifest): string {
  return metadata.labels?.["app.kubernetes.io/component"] ?? "";
}

/** Services in a deployment's settings, such as `auth` for `AUTH_ADDRESS`. */
export function calleesOf({ containers }: PodSpec): string[] {
  const variables = containers.flatMap(({ env = [] }) => env);
  const names = variables.flatMap(({ value = "" }) =>
    [...value.matchAll(/release-nutrition-journal-([a-z]+)\.journal\.svc/g)].map(
      ([, name]) => name,
    ),
  );
  return [...new Set(names as string[])].sort();
}
