const NAMES: Readonly<Record<string, string>> = {
  alertmanager: 'Prometheus Alertmanager',
  api: 'API',
  'azure-monitor': 'Azure Monitor',
  'better-stack': 'Better Stack',
  checkly: 'Checkly',
  cloudwatch: 'Amazon CloudWatch',
  custom: 'Custom (any JSON)',
  datadog: 'Datadog',
  github: 'GitHub issues',
  gitlab: 'GitLab issues',
  'google-cloud-monitoring': 'Google Cloud Monitoring',
  goalert: 'GoAlert',
  grafana: 'Grafana',
  'grafana-oncall': 'Grafana OnCall',
  heartbeat: 'Heartbeat',
  honeycomb: 'Honeycomb',
  icinga2: 'Icinga 2',
  'incident-io': 'incident.io',
  jira: 'Jira',
  linear: 'Linear',
  nagios: 'Nagios',
  newrelic: 'New Relic',
  opsgenie: 'Opsgenie, Jira Service Management',
  'opsgenie-api': 'Opsgenie API (drop-in)',
  pagerduty: 'PagerDuty',
  'pagerduty-events': 'PagerDuty Events API (drop-in)',
  sentry: 'Sentry',
  statuspage: 'External status pages',
  'uptime-kuma': 'Uptime Kuma',
  victorops: 'Splunk On-Call (VictorOps)',
  zabbix: 'Zabbix',
};

/** The display name of an integration; one without a name is shown by its type. */
export function integrationName(type: string): string {
  return NAMES[type] ?? type;
}

/** Whether the id of a webhook is that of a page source. */
export function isSource(id: string): boolean {
  return id.startsWith('source_');
}
