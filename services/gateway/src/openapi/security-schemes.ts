/** The ways to authenticate. */
export function securitySchemes(baseUrl: string, authUrl: string | undefined) {
  const oauth = authUrl !== undefined && {
    oauth: {
      type: "oauth2",
      description: `Metadata: ${baseUrl}/.well-known/oauth-protected-resource`,
      flows: {
        authorizationCode: {
          authorizationUrl: `${authUrl}/oauth/authorize`,
          tokenUrl: `${authUrl}/oauth/token`,
          scopes: { openid: "Sign in", email: "E-mail address", profile: "Name and picture" },
        },
      },
    },
  };
  return {
    bearerKey: {
      type: "http",
      scheme: "bearer",
      description: "API key: Authorization: Bearer service_live_…",
    },
    headerKey: {
      type: "apiKey",
      in: "header",
      name: "X-Service-API-Key",
      description: "API key, for clients that cannot set Authorization.",
    },
    ...oauth,
  };
}
