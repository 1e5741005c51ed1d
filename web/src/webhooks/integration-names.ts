import { t } from '../language/t.ts';

const NAMES: Readonly<Record<string, string>> = {
  alertmanager: t('Prometheus Alertmanager'),
  api: 'API',
  'azure-monitor': t('Azure Monitor'),
  'better-stack': t('Better Stack'),
  checkly: 'Checkly',
  cloudwatch: t('Amazon CloudWatch'),
  custom: t('Custom (any JSON)'),
  datadog: 'Datadog',
  github: t('GitHub issues'),
  gitlab: t('GitLab issues'),
  'google-cloud-monitoring': t('Google Cloud Monitoring'),
  goalert: 'GoAlert',
  grafana: 'Grafana',
  'grafana-oncall': t('Grafana OnCall'),
  heartbeat: 'Heartbeat',
  honeycomb: 'Honeycomb',
  icinga2: 'Icinga 2',
  'incident-io': 'incident.io',
  jira: 'Jira',
  linear: 'Linear',
  nagios: 'Nagios',
  newrelic: t('New Relic'),
  opsgenie: t('Opsgenie, Jira Service Management'),
  'opsgenie-api': t('Opsgenie API (drop-in)'),
  pagerduty: 'PagerDuty',
  'pagerduty-events': t('PagerDuty Events API (drop-in)'),
  sentry: 'Sentry',
  statuspage: t('External status pages'),
  'uptime-kuma': t('Uptime Kuma'),
  victorops: t('Splunk On-Call (VictorOps)'),
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
