import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AdapterResult, Headers } from '../moments/integrations/adapter.ts';
import { cutName } from '../moments/name.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import { TEST_SENDER } from './headers.ts';

const SAMPLES = new URL('../moments/integrations/samples/', import.meta.url);

/** For each type of webhook, the sample in which a problem begins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  alertmanager: 'firing',
  'azure-monitor': 'fired',
  'better-stack': 'started',
  checkly: 'failure',
  cloudwatch: 'alarm',
  custom: 'full',
  datadog: 'triggered',
  github: 'opened',
  gitlab: 'incident-open',
  'google-cloud-monitoring': 'open',
  grafana: 'firing',
  honeycomb: 'triggered',
  icinga2: 'service-problem',
  'incident-io': 'created',
  jira: 'issue-created',
  linear: 'create',
  nagios: 'service-problem',
  newrelic: 'activated',
  opsgenie: 'create',
  pagerduty: 'triggered',
  sentry: 'issue-created',
  statuspage: 'investigating',
  'uptime-kuma': 'down',
  zabbix: 'problem',
};

export type ExampleCall = { headers: Headers; body: Buffer };

/**
 * The call of a sender of this type when a problem begins at `now`; null if there is no sample. Timestamps are shifted
 * to `now` and ids replaced, so that repeated tests create separate moments.
 */
export async function exampleCall(
  type: string,
  settings: WebhookSettings,
  now: Temporal.Instant,
): Promise<ExampleCall | null> {
  const beginning = BEGINNINGS[type];
  if (beginning === undefined) return null;
  const sample = await readFile(new URL(`${type}-${beginning}.json`, SAMPLES), 'utf8');
  const body = withTopic(renumbered(movedTo(now, sample)), settings.topic);
  return {
    headers: { 'content-type': 'application/json', 'user-agent': TEST_SENDER },
    body: Buffer.from(body),
  };
}

/** Prefixes the names of moments from a test call, so that nobody mistakes them for a real problem. */
export function calledTest(headers: Headers, result: AdapterResult): AdapterResult {
  if (headers['user-agent'] !== TEST_SENDER || !('events' in result)) return result;
  return {
    events: result.events.map((event) => ({ ...event, name: cutName(`Test: ${event.name}`).name })),
  };
}

const ISO_TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;
/** Unix times, in seconds or milliseconds, within the years of the samples. */
const UNIX_TIME = /\b17[5-9]\d{7}(\d{3})?\b|\b18[01]\d{7}(\d{3})?\b/g;

/** Shifts all times so that the latest one is `now`. */
function movedTo(now: Temporal.Instant, sample: string): string {
  const iso = (sample.match(ISO_TIME) ?? []).map((text) => Date.parse(text));
  const unix = (sample.match(UNIX_TIME) ?? []).map(unixMs);
  const latest = Math.max(...iso, ...unix);
  if (!Number.isFinite(latest)) return sample;
  const by = now.epochMilliseconds - latest;
  return sample
    .replace(ISO_TIME, (text) => new Date(Date.parse(text) + by).toISOString())
    .replace(UNIX_TIME, (text) => {
      const moved = unixMs(text) + by;
      return String(text.length > 10 ? moved : Math.floor(moved / 1_000));
    });
}

function unixMs(text: string): number {
  return text.length > 10 ? Number(text) : Number(text) * 1_000;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Replaces each UUID with a new one; equal UUIDs stay equal. */
function renumbered(sample: string): string {
  const others = new Map<string, string>();
  return sample.replace(UUID, (uuid) => {
    const other = others.get(uuid) ?? randomUUID();
    others.set(uuid, other);
    return other;
  });
}

/** Sets the topic that the webhook is pinned to, because it accepts no other. */
function withTopic(sample: string, topic: string | undefined): string {
  return topic === undefined
    ? sample
    : sample.replace(/"TopicArn":\s*"[^"]*"/, `"TopicArn": ${JSON.stringify(topic)}`);
}
