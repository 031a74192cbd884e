{{/* The services that run, with the port each listens on. */}}
{{- define "nj.services" -}}
gateway: { port: 3000, portName: http }
web: { port: 3100, portName: http }
auth: { port: 4700, portName: grpc }
journal: { port: 4700, portName: grpc }
limits: { port: 4700, portName: grpc }
analysis: { port: 4700, portName: grpc }
{{- if .Values.identityProvider.bundled }}
identity: { port: 3001, portName: http }
{{- end }}
{{- end -}}

{{/* Who calls whom; every edge has a network policy and nothing else passes. */}}
{{- define "nj.calls" -}}
gateway: [web, auth, journal, limits{{ if .Values.identityProvider.bundled }}, identity{{ end }}]
web: [auth, journal, limits{{ if .Values.identityProvider.bundled }}, identity{{ end }}]
journal: [limits, analysis]
limits: [journal]
{{- end -}}
