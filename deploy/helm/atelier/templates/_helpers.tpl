{{- define "atelier.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "atelier.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Called with (dict "root" $ "component" "gateway"). */}}
{{- define "atelier.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "atelier.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "atelier.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podSecurity.userId }}
runAsGroup: {{ .Values.podSecurity.groupId }}
fsGroup: {{ .Values.podSecurity.groupId }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "atelier.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What gateways and the migration share: addresses and the key ring. */}}
{{- define "atelier.serverEnv" -}}
- name: ATELIER_HOME
  value: /var/lib/atelier
- name: ATELIER_HOST
  value: "0.0.0.0"
- name: ATELIER_PORT
  value: {{ .Values.service.apiPort | quote }}
- name: ATELIER_CONTENT_PORT
  value: {{ .Values.service.contentPort | quote }}
- name: ATELIER_METRICS_PORT
  value: {{ .Values.service.metricsPort | quote }}
- name: ATELIER_BASE_URL
  value: {{ printf "https://%s" .Values.hosts.api | quote }}
- name: ATELIER_CONTENT_URL
  value: {{ printf "https://%s" .Values.hosts.content | quote }}
- name: ATELIER_ALLOWED_HOSTS
  value: {{ printf "%s-gateway:%v" (include "atelier.fullname" .) .Values.service.apiPort | quote }}
- name: ATELIER_TRUST_PROXY
  value: {{ join "," .Values.trustProxy | quote }}
- name: ATELIER_SECRETS_FILE
  value: {{ printf "/etc/atelier/%s" .Values.server.ringKey | quote }}
- name: ATELIER_SANDBOX
  value: "off"
{{- end }}

{{- define "atelier.mounts" -}}
- name: settings
  mountPath: /etc/atelier
  readOnly: true
- name: home
  mountPath: /var/lib/atelier
- name: temporary
  mountPath: /tmp
{{- end }}
