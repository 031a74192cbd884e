{{/*
Environment of each service, as a list. (dict "root" $ "service" "gateway" "workload" $workload)
*/}}
{{- define "nj.env" -}}
{{- $ := .root -}}
{{- $secret := include "nj.secretName" $ -}}
- { name: LOG_LEVEL, value: {{ $.Values.logLevel | quote }} }
- { name: DEPLOYMENT, value: {{ $.Values.deployment | quote }} }
- { name: OPERATIONS_HOST, value: "0.0.0.0" }
- { name: OPERATIONS_PORT, value: "9464" }
# The heap stays within the memory limit, with room for buffers and code.
- { name: NODE_OPTIONS, value: "--max-old-space-size-percentage=65" }
{{- include "nj.env.tls" . }}
{{- include "nj.env.telemetry" . }}
{{- if has .service (list "gateway" "web" "journal" "limits") }}
- { name: IDENTITY_PRIVATE_KEY, {{ include "nj.fromSecret" (dict "name" $secret "key" (printf "identity-key-%s" .service)) }} }
{{- end }}
{{- if ne .service "identity" }}
- { name: IDENTITY_TRUSTED_KEYS, {{ include "nj.fromSecret" (dict "name" $secret "key" "identity-trusted-keys") }} }
- { name: RPC_HOST, value: "0.0.0.0" }
- { name: RPC_PORT, value: "4700" }
{{- end }}
{{- if has .service (list "auth" "journal" "limits" "analysis") }}
- { name: DATABASE_PASSWORD, {{ include "nj.fromSecret" (dict "name" $secret "key" (printf "database-password-%s" .service)) }} }
# Present only while the password is being changed; docs/operating.md describes the steps.
- { name: DATABASE_PASSWORD_FALLBACK, valueFrom: { secretKeyRef: { name: {{ $secret }}, key: database-password-{{ .service }}-fallback, optional: true } } }
- { name: DATABASE_URL, value: {{ printf "postgres://%s:$(DATABASE_PASSWORD)@%s:%v/%s?%s" .service (include "nj.databaseHost" $) $.Values.database.port $.Values.database.name (include "nj.databaseOptions" $) | quote }} }
{{- end }}
{{- if and $.Values.redis.urlSecret.name (has .service (list "gateway" "web" "auth" "limits")) }}
- { name: REDIS_URL, {{ include "nj.fromSecret" $.Values.redis.urlSecret }} }
{{- end }}
{{- include (printf "nj.env.%s" .service) . }}
{{- range $name, $value := .workload.env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{- define "nj.env.tls" }}
{{- $mode := .root.Values.internalTls.mode }}
- { name: INTERNAL_TLS, value: {{ eq $mode "certManager" | ternary "files" $mode | quote }} }
{{- if eq $mode "certManager" }}
- { name: INTERNAL_TLS_CERT_FILE, value: /etc/nutrition/tls/tls.crt }
- { name: INTERNAL_TLS_KEY_FILE, value: /etc/nutrition/tls/tls.key }
- { name: INTERNAL_TLS_CA_FILE, value: /etc/nutrition/tls/ca.crt }
{{- end }}
{{- end -}}

{{- define "nj.env.telemetry" }}
{{- with .root.Values.telemetry.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ $.root.Values.telemetry.sampleRatio | quote }} }
{{- end }}
{{- end -}}

{{- define "nj.env.backends" }}
{{- range $service := .services }}
- { name: {{ upper $service }}_ADDRESS, value: {{ include "nj.rpcAddress" (dict "root" $.root "service" $service) | quote }} }
{{- end }}
{{- end -}}

{{/* The limits service enforces the policies, the gateway tells them in its documentation. */}}
{{- define "nj.hasPolicies" -}}
{{- if and (has .service (list "gateway" "limits")) .root.Values.limits.policies }}true{{ end }}
{{- end -}}

{{- define "nj.env.policies" }}
{{- if include "nj.hasPolicies" . }}
- { name: LIMITS_POLICY_FILE, value: /etc/nutrition/limits/policies.json }
{{- end }}
{{- end -}}

{{- define "nj.env.gateway" }}
{{- include "nj.env.backends" (dict "root" .root "services" (list "auth" "journal" "limits")) }}
{{- include "nj.env.policies" . }}
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3000" }
- { name: BASE_URL, value: {{ .root.Values.publicUrl | quote }} }
- { name: WEB_URL, value: {{ printf "%s://%s-web.%s.svc:3100" (eq .root.Values.internalTls.mode "certManager" | ternary "https" "http") (include "nj.fullname" .root) .root.Release.Namespace | quote }} }
- { name: AUTH_URL, value: {{ include "nj.authUrl" .root | quote }} }
- { name: OAUTH_AUDIENCE, value: {{ .root.Values.identityProvider.audience | quote }} }
- { name: TRUST_PROXY_HOPS, value: {{ include "nj.trustProxyHops" .root | quote }} }
- { name: ALLOWED_ORIGINS, value: {{ join "," .root.Values.allowedOrigins | quote }} }
# Clients keep connections open, and a request may be on its way when the pod is told to stop.
- { name: LEAVE_SECONDS, value: "10" }
{{- include "nj.env.signingSecrets" . }}
# Inside the cluster, and for `helm test`, its host is the name of its Service.
- { name: ALLOWED_HOSTS, value: {{ printf "%s-gateway" (include "nj.fullname" .root) | quote }} }
{{- end -}}

{{- define "nj.env.web" }}
{{- include "nj.env.backends" (dict "root" .root "services" (list "auth" "journal" "limits")) }}
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3100" }
- { name: BASE_URL, value: {{ .root.Values.publicUrl | quote }} }
- { name: AUTH_URL, value: {{ include "nj.authUrl" .root | quote }} }
- { name: OAUTH_AUDIENCE, value: {{ .root.Values.identityProvider.audience | quote }} }
- { name: SIGN_IN_PROVIDERS, value: {{ .root.Values.identityProvider.signInProviders | quote }} }
- { name: SESSION_KEYS, {{ include "nj.fromSecret" (dict "name" (include "nj.secretName" .root) "key" "session-keys") }} }
{{- with .root.Values.identityProvider.apiKeySecret }}
{{- if .name }}
- { name: AUTH_API_KEY, {{ include "nj.fromSecret" . }} }
{{- end }}
{{- end }}
{{- with .root.Values.mail }}
{{- if .smtpUrlSecret.name }}
- { name: SMTP_URL, {{ include "nj.fromSecret" .smtpUrlSecret }} }
- { name: MAIL_FROM, value: {{ required "mail.from is required with mail.smtpUrlSecret" .from | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{- define "nj.env.auth" }}
{{- $secret := include "nj.secretName" .root }}
- { name: KEY_PEPPERS, {{ include "nj.fromSecret" (dict "name" $secret "key" "key-peppers") }} }
- { name: KEY_PEPPER_VERSION, {{ include "nj.fromSecret" (dict "name" $secret "key" "key-pepper-version") }} }
{{- include "nj.env.signingSecrets" . }}
{{- end -}}

{{/* A Secret that is kept elsewhere may not have it yet: then auth looks up every key. */}}
{{- define "nj.env.signingSecrets" }}
- { name: KEY_SIGNING_SECRETS, valueFrom: { secretKeyRef: { name: {{ include "nj.secretName" .root }}, key: key-signing-secrets, optional: true } } }
{{- end -}}

{{- define "nj.env.journal" }}
{{- include "nj.env.backends" (dict "root" .root "services" (list "limits" "analysis")) }}
{{- end -}}

{{- define "nj.env.limits" }}
{{- include "nj.env.backends" (dict "root" .root "services" (list "journal")) }}
{{- include "nj.env.policies" . }}
{{- end -}}

{{- define "nj.env.analysis" }}
{{- $analysis := .root.Values.analysis }}
{{- with $analysis.model }}
{{- if .url }}
- { name: ANALYSIS_MODEL_URL, value: {{ .url | quote }} }
- { name: ANALYSIS_MODEL, value: {{ .name | quote }} }
- { name: ANALYSIS_MODEL_INPUT_USD, value: {{ .inputUsd | quote }} }
- { name: ANALYSIS_MODEL_OUTPUT_USD, value: {{ .outputUsd | quote }} }
- { name: ANALYSIS_MODEL_DAILY_USD, value: {{ .dailyUsd | quote }} }
{{- if $analysis.modelKeySecret.name }}
- { name: ANALYSIS_MODEL_KEY, {{ include "nj.fromSecret" $analysis.modelKeySecret }} }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "nj.env.identity" }}
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3001" }
- { name: ISSUER, value: {{ include "nj.authUrl" .root | quote }} }
- { name: SITE_URL, value: {{ .root.Values.publicUrl | quote }} }
{{- end -}}
