{{/* Name of the release's objects. */}}
{{- define "nj.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of an object: (dict "root" $ "component" "gateway"). */}}
{{- define "nj.labels" -}}
{{ include "nj.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: nutrition-journal
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "nj.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Image of a service: (dict "root" $ "service" "gateway"). */}}
{{- define "nj.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests .service -}}
{{- if $digest -}}
{{ printf "%s/%s@%s" $image.repository .service $digest }}
{{- else -}}
{{ printf "%s/%s:%s" $image.repository .service ($image.tag | default .root.Chart.AppVersion) }}
{{- end -}}
{{- end -}}

{{- define "nj.secretName" -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "nj.fullname" .)) -}}
{{- end -}}

{{/*
gRPC target of a service: its headless Service resolves to every ready pod. Gateway and web have one for the
operator alone.
*/}}
{{- define "nj.rpcAddress" -}}
{{- $service := has .service (list "gateway" "web") | ternary (printf "%s-operator" .service) .service -}}
{{- printf "dns:///%s-%s.%s.svc:4700" (include "nj.fullname" .root) $service .root.Release.Namespace -}}
{{- end -}}

{{/* Number of trusted proxies: what is in front sets X-Forwarded-For only if it understands HTTP. */}}
{{- define "nj.trustProxyHops" -}}
{{- if kindIs "invalid" .Values.trustProxyHops -}}
{{- or .Values.ingress.enabled .Values.httpRoute.enabled | ternary 1 0 -}}
{{- else -}}
{{- .Values.trustProxyHops -}}
{{- end -}}
{{- end -}}

{{- define "nj.authUrl" -}}
{{- if .Values.identityProvider.bundled -}}
{{- printf "http://%s-identity.%s.svc:3001/auth/v1" (include "nj.fullname" .) .Release.Namespace -}}
{{- else -}}
{{- required "Set identityProvider.url to the issuer of your identity provider, or identityProvider.bundled=true with deployment=development for trying out." .Values.identityProvider.url -}}
{{- end -}}
{{- end -}}

{{- define "nj.databaseHost" -}}
{{- $db := .Values.database -}}
{{- if $db.bundled.enabled -}}
{{ include "nj.fullname" . }}-postgres
{{- else if $db.cloudNativePg.enabled -}}
{{ include "nj.fullname" . }}-db-rw
{{- else -}}
{{- required "Set database.host (and database.adminUrlSecret) to your PostgreSQL, or database.bundled.enabled=true for trying out, or database.cloudNativePg.enabled=true." $db.host -}}
{{- end -}}
{{- end -}}

{{/* Part of a database address after the name. */}}
{{- define "nj.databaseOptions" -}}
{{- if .Values.database.bundled.enabled -}}
sslmode=disable
{{- else -}}
{{- $ca := include "nj.databaseCa" . | fromYaml -}}
sslmode={{ .Values.database.sslMode }}
{{- if $ca.name }}&sslrootcert=/etc/nutrition/database-ca/{{ $ca.key }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Secret with the authority that signed the database's certificate; its name is empty without. */}}
{{- define "nj.databaseCa" -}}
{{- if and .Values.database.cloudNativePg.enabled (not .Values.database.caSecret.name) -}}
{{/* The operator's own. */}}
{{- toYaml (dict "name" (printf "%s-db-ca" (include "nj.fullname" .)) "key" "ca.crt") -}}
{{- else -}}
{{- toYaml .Values.database.caSecret -}}
{{- end -}}
{{- end -}}

{{/* Whether a pod connects to the database with a known authority: (dict "root" $ "service" "auth"). */}}
{{- define "nj.hasDatabaseCa" -}}
{{- $isConnected := has .service (list "auth" "journal" "limits" "analysis" "migrate") -}}
{{- if and $isConnected (include "nj.databaseCa" .root | fromYaml).name (not .root.Values.database.bundled.enabled) }}true{{ end -}}
{{- end -}}

{{/*
Instances of a service that the database has connections for. Until those of before have ended, a
roll-out has twice as many as the service.
*/}}
{{- define "nj.databaseInstances" -}}
{{- $most := 6 -}}
{{- range $service := list "auth" "journal" "limits" "analysis" -}}
{{- $w := include "nj.workload" (dict "root" $ "service" $service) | fromYaml -}}
{{- $most = max $most (mul 2 ($w.autoscaling.enabled | ternary $w.autoscaling.maxReplicas $w.replicas)) -}}
{{- end -}}
{{- $most -}}
{{- end -}}

{{/* What PostgreSQL's max_connections has to be: those of the instances, and some for people and jobs. */}}
{{- define "nj.databaseConnections" -}}
{{- add 20 (mul 48 (include "nj.databaseInstances" . | int)) -}}
{{- end -}}

{{/* Values of a service: its own over the defaults. */}}
{{- define "nj.workload" -}}
{{- toYaml (mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values.workloads .service | default dict))) -}}
{{- end -}}

{{- define "nj.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podSecurity.runAsUser }}
runAsGroup: {{ .Values.podSecurity.runAsUser }}
fsGroup: {{ .Values.podSecurity.runAsUser }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "nj.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "nj.fromSecret" -}}
{{- printf "valueFrom: { secretKeyRef: { name: %s, key: %s } }" .name .key -}}
{{- end -}}
