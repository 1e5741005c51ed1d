import type { Adapter } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { api } from './api.ts';
import { azureMonitor } from './azure-monitor.ts';
import { betterStack } from './better-stack.ts';
import { checkly } from './checkly.ts';
import { cloudwatch } from './cloudwatch.ts';
import { custom } from './custom.ts';
import { datadog } from './datadog.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { goalert } from './goalert.ts';
import { googleCloudMonitoring } from './google-cloud-monitoring.ts';
import { grafana } from './grafana.ts';
import { grafanaOncall } from './grafana-oncall.ts';
import { honeycomb } from './honeycomb.ts';
import { icinga2 } from './icinga2.ts';
import { incidentIo } from './incident-io.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import { nagios } from './nagios.ts';
import { newrelic } from './newrelic.ts';
import { opsgenie } from './opsgenie.ts';
import { opsgenieApi } from './opsgenie-api.ts';
import { pagerduty } from './pagerduty.ts';
import { pagerdutyEvents } from './pagerduty-events.ts';
import { sentry } from './sentry.ts';
import { statuspage } from './statuspage.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { victorops } from './victorops.ts';
import { zabbix } from './zabbix.ts';

/** Every integration by its name in the URL. A new one is a file, its tests, a page of docs and a line here. */
const ADAPTERS = new Map<string, Adapter>([
  ['alertmanager', alertmanager],
  ['azure-monitor', azureMonitor],
  ['better-stack', betterStack],
  ['checkly', checkly],
  ['cloudwatch', cloudwatch],
  ['custom', custom],
  ['datadog', datadog],
  ['github', github],
  ['gitlab', gitlab],
  ['google-cloud-monitoring', googleCloudMonitoring],
  ['grafana', grafana],
  ['honeycomb', honeycomb],
  ['icinga2', icinga2],
  ['incident-io', incidentIo],
  ['jira', jira],
  ['linear', linear],
  ['nagios', nagios],
  ['newrelic', newrelic],
  ['opsgenie', opsgenie],
  ['pagerduty', pagerduty],
  ['sentry', sentry],
  ['statuspage', statuspage],
  ['uptime-kuma', uptimeKuma],
  ['zabbix', zabbix],
]);

/** The APIs of other products. Only page sources have these types: their calls page people. */
const DIALECTS = new Map<string, Adapter>([
  ['goalert', goalert],
  ['grafana-oncall', grafanaOncall],
  ['opsgenie-api', opsgenieApi],
  ['pagerduty-events', pagerdutyEvents],
  ['victorops', victorops],
]);

/** Types that a webhook can have. */
export const INTEGRATIONS: readonly string[] = [...ADAPTERS.keys()];

/** The name of the API form among received notifications; no webhook has this type. */
export const API_FORM = 'api';

export function adapterFor(integration: string): Adapter | null {
  return ADAPTERS.get(integration) ?? null;
}

/** Reads a stored notification. */
export function readerFor(integration: string): Adapter | null {
  return integration === API_FORM ? api : (adapterFor(integration) ?? DIALECTS.get(integration) ?? null);
}
