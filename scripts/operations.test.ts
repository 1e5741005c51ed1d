/** docs/operations.md names every setting and every metric, with the defaults that hold. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig, SETTING_NAMES } from '../src/config.ts';
import { createMetrics } from '../src/http/metrics.ts';

const text = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');

function table(section: string): string[][] {
  const [, body = ''] = text.split(`\n## ${section}\n`);
  return (body.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const code = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];
const settings = table('Configuration').map(([, name, preset]) => ({
  name: code(name),
  preset: code(preset),
}));

test('every setting is in the table, and no other', () => {
  assert.deepEqual(settings.map(({ name }) => name).sort(), [...SETTING_NAMES].sort());
});

/** Settings that are good only together. */
const NEEDS: Record<string, Record<string, string>> = {
  TWILIO_API_URL: { TWILIO_ACCOUNT_SID: 'a', TWILIO_AUTH_TOKEN: 'b', TWILIO_FROM: '+15005550006' },
  SLACK_API_URL: { SLACK_BOT_TOKEN: 'a', SLACK_SIGNING_SECRET: 'b' },
  VAPID_SUBJECT: { VAPID_PUBLIC_KEY: 'a', VAPID_PRIVATE_KEY: 'b' },
};

test('setting a variable to the default that the table tells changes nothing', () => {
  const told = settings.filter(({ preset }) => preset !== undefined);
  assert.ok(told.length > 8);
  for (const { name = '', preset = '' } of told) {
    const others = NEEDS[name] ?? {};
    const without = readConfig(others);
    const set = readConfig({ ...others, [name]: preset });
    // An address is the same with and without a slash at its end.
    assert.deepEqual(JSON.parse(withoutSlashes(set)), JSON.parse(withoutSlashes(without)), name);
  }
});

function withoutSlashes(config: object): string {
  return JSON.stringify(config).replaceAll('/"', '"');
}

test('every metric of ours is in the table, with its labels', async () => {
  const { registry } = createMetrics();
  const ours = (await registry.getMetricsAsJSON())
    .filter(({ name }) => !/^tocsin_(process|nodejs)_/.test(name))
    .map(({ name }) => [name, labelsOf(registry.getSingleMetric(name))]);
  const told = table('Metrics').map(([, name, labels]) => [code(name), labels]);
  assert.deepEqual(told.sort(), ours.sort());
});

function labelsOf(metric: unknown): string {
  return (metric as { labelNames: string[] }).labelNames.join(', ');
}
