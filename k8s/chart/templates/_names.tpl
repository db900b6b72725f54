{{/* Names are fixed: cluster roles and the priority class are the cluster's, so there is one release in a cluster. */}}
{{- define "catamaran.labels" -}}
app.kubernetes.io/name: catamaran
{{- end }}

{{/* An image of `images`: dict "image" … "root" $ */}}
{{- define "catamaran.image" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "catamaran.config" -}}
{{ .Values.schedulerConfig | default (.Files.Get "files/scheduler-config.yaml") }}
{{- end }}

{{- define "catamaran.readsMetricsServer" -}}
{{- if eq .Values.metricsProvider.name "KubernetesMetricsServer" }}true{{ end -}}
{{- end }}
