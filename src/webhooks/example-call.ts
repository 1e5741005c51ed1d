import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AdapterResult, Headers } from '../moments/integrations/adapter.ts';
import { cutName } from '../moments/name.ts';
import type { WebhookSettings } from '../moments/settings.ts';

const SAMPLES = new URL('../moments/integrations/samples/', import.meta.url);

/** By type of webhook: the sample in which something begins. */
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

/** By it a test call is known again: whatever comes of one is called a test. */
const SENDER = 'Tocsin test call';

export type ExampleCall = { headers: Headers; body: Buffer };

/**
 * A call as a sender of this type makes it when something begins, at `now`; null when there is no example. Its times
 * are moved to now, and what numbers it is new, so that it can be sent again and again.
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
  return { headers: { 'content-type': 'application/json', 'user-agent': SENDER }, body: Buffer.from(body) };
}

/** What comes of a test call must never be taken for trouble. */
export function calledTest(headers: Headers, result: AdapterResult): AdapterResult {
  if (headers['user-agent'] !== SENDER || !('events' in result)) return result;
  return {
    events: result.events.map((event) => ({ ...event, name: cutName(`Test: ${event.name}`).name })),
  };
}

const ISO_TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;
/** Seconds or milliseconds since 1970 that fall into the years of the samples. */
const UNIX_TIME = /\b17[5-9]\d{7}(\d{3})?\b|\b18[01]\d{7}(\d{3})?\b/g;

/** Moves all times by as much as brings the latest of them to now. */
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

/** Gives whatever has a UUID another one, the same wherever it stands. */
function renumbered(sample: string): string {
  const others = new Map<string, string>();
  return sample.replace(UUID, (uuid) => {
    const other = others.get(uuid) ?? randomUUID();
    others.set(uuid, other);
    return other;
  });
}

/** A webhook that listens to one topic takes a test from no other. */
function withTopic(sample: string, topic: string | undefined): string {
  return topic === undefined
    ? sample
    : sample.replace(/"TopicArn":\s*"[^"]*"/, `"TopicArn": ${JSON.stringify(topic)}`);
}
