{{- define "nj.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if eq .root.Values.internalTls.mode "certManager" }}
- { name: tls, mountPath: /etc/nutrition/tls, readOnly: true }
{{- end }}
{{- if include "nj.hasPolicies" . }}
- { name: policies, mountPath: /etc/nutrition/limits, readOnly: true }
{{- end }}
{{- if include "nj.hasDatabaseCa" . }}
- { name: database-ca, mountPath: /etc/nutrition/database-ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "nj.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- if eq .root.Values.internalTls.mode "certManager" }}
- { name: tls, secret: { secretName: {{ include "nj.fullname" .root }}-{{ .service }}-tls } }
{{- end }}
{{- if include "nj.hasPolicies" . }}
- { name: policies, configMap: { name: {{ include "nj.fullname" .root }}-policies } }
{{- end }}
{{- if include "nj.hasDatabaseCa" . }}
{{- $ca := include "nj.databaseCa" .root | fromYaml }}
# The Secret of CloudNativePG also has the private key of its authority.
- { name: database-ca, secret: { secretName: {{ $ca.name }}, items: [{ key: {{ $ca.key }}, path: {{ $ca.key }} }] } }
{{- end }}
{{- end -}}
