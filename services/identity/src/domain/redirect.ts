import { redirectKind } from "@nutrition/core/redirect-address";

/** Reason that a client may not register this redirect URI; undefined when it may. */
export function findRedirectFault(uri: string): string | undefined {
  if (redirectKind(uri) !== undefined) return undefined;
  return (
    "use https; http only for localhost; or a private scheme that is a reversed domain " +
    "name, such as com.example.app:/callback; without a user name and without a fragment"
  );
}

export interface ReturnRules {
  readonly siteUrl: string;
  readonly allowedRedirects: readonly string[];
}

/**
 * Destination after a sign-in or a mail's link: the requested address if it is allowed, else the
 * site.
 */
export function chooseReturn(asked: string, { siteUrl, allowedRedirects }: ReturnRules): string {
  const url = URL.parse(asked);
  if (!url || !/^https?:$/.test(url.protocol)) return siteUrl;
  const isOwn = url.hostname === new URL(siteUrl).hostname;
  return isOwn || allowedRedirects.some((entry) => matches(entry, asked)) ? asked : siteUrl;
}

/** Whether pages of this origin may submit a person's consent. */
export function isAllowedOrigin(
  origin: string,
  { siteUrl, allowedRedirects }: ReturnRules,
): boolean {
  return [siteUrl, ...allowedRedirects].some((entry) => URL.parse(entry)?.origin === origin);
}

/** Adds parameters to `uri`; empty ones are omitted. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url.href;
}

function matches(entry: string, address: string): boolean {
  return entry.endsWith("**") ? address.startsWith(entry.slice(0, -2)) : address === entry;
}
