import { findRedirectFault } from "./redirect.ts";

/** How a client authenticates at the token endpoint. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** Client metadata. Empty texts stand for absent members. */
export interface Registration {
  authMethod: ClientAuthMethod;
  redirectUris: string[];
  grantTypes: string[];
  name: string;
  uri: string;
  logoUri: string;
}

const GRANT_TYPES = ["authorization_code", "refresh_token"];
const REDIRECT_URIS_MAX = 10;
const NAME_MAX = 1_024;
const URI_MAX = 2_048;

/** Parses a registration request, or says what is wrong with it. */
export function parseRegistration(
  fields: Readonly<Record<string, unknown>>,
): Registration | string {
  const redirectUris = fields["redirect_uris"];
  if (!isTexts(redirectUris) || redirectUris.length === 0) return "redirect_uris is required";
  if (redirectUris.length > REDIRECT_URIS_MAX) return "redirect_uris cannot exceed 10 items";
  for (const uri of redirectUris) {
    const fault = findRedirectFault(uri);
    if (fault !== undefined) return `invalid redirect_uri '${uri}': ${fault}`;
  }
  const grantTypes = fields["grant_types"] ?? [];
  if (!isTexts(grantTypes) || !grantTypes.every((type) => GRANT_TYPES.includes(type))) {
    return "grant_types must only contain 'authorization_code' and/or 'refresh_token'";
  }
  const described = parseDescription(fields);
  if (typeof described === "string") return described;
  const authMethod = chooseAuthMethod(fields["client_type"], fields["token_endpoint_auth_method"]);
  if (!isAuthMethod(authMethod)) return authMethod;
  return {
    ...described,
    authMethod,
    redirectUris,
    grantTypes: grantTypes.length > 0 ? grantTypes : GRANT_TYPES,
  };
}

function parseDescription(fields: Readonly<Record<string, unknown>>) {
  const { client_name: name = "", client_uri: uri = "", logo_uri: logoUri = "" } = fields;
  if (typeof name !== "string" || name.length > NAME_MAX) {
    return "client_name cannot exceed 1024 characters";
  }
  if (!isAddress(uri)) return "client_uri must be a valid URL";
  if (!isAddress(logoUri)) return "logo_uri must be a valid URL";
  return { name, uri, logoUri };
}

/** The default is a confidential client. */
function chooseAuthMethod(type: unknown, method: unknown): ClientAuthMethod | (string & {}) {
  if (type !== undefined && type !== "public" && type !== "confidential") {
    return "client_type must be 'public' or 'confidential'";
  }
  if (method === undefined) return type === "public" ? "none" : "client_secret_basic";
  if (!isAuthMethod(method)) {
    return `token_endpoint_auth_method must be one of: ${CLIENT_AUTH_METHODS.join(" ")}`;
  }
  if (type !== undefined && (type === "public") !== (method === "none")) {
    return `client_type '${type}' does not go with token_endpoint_auth_method '${method}'`;
  }
  return method;
}

function isAuthMethod(value: unknown): value is ClientAuthMethod {
  return (CLIENT_AUTH_METHODS as readonly unknown[]).includes(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isAddress(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= URI_MAX && (value === "" || URL.canParse(value))
  );
}
