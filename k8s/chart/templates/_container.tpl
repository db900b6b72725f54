{{- define "catamaran.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* dict "port" … "ready" path, "scheme" HTTPS where it is not HTTP */}}
{{- define "catamaran.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ .port }}{{ with .scheme }}, scheme: {{ . }}{{ end }} }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: {{ .port }}{{ with .scheme }}, scheme: {{ . }}{{ end }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: {{ .ready }}, port: {{ .port }}{{ with .scheme }}, scheme: {{ . }}{{ end }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}
