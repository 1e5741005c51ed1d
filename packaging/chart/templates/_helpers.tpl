{{- define "tocsin.name" -}}
{{- if eq .Release.Name .Chart.Name -}}{{ .Release.Name }}{{- else -}}{{ printf "%s-tocsin" .Release.Name | trunc 53 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "tocsin.selector" -}}
app.kubernetes.io/name: tocsin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tocsin.labels" -}}
{{ include "tocsin.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
