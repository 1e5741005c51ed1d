/** docs/operations.md lists every setting with its real default, docs/monitoring.md every metric. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig, SETTING_NAMES } from '../src/config.ts';
import { ANSWER_METRICS } from '../src/http/answer-times.ts';
import { createMetrics } from '../src/http/metrics.ts';

const root = new URL('../', import.meta.url);
function table(page: string, section: string): string[][] {
  const [, body = ''] = readFileSync(new URL(page, root), 'utf8').split(`\n## ${section}\n`);
  return (body.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const code = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];
const settings = table('docs/operations.md', 'Configuration').map(([, name, preset]) => ({
  name: code(name),
  preset: code(preset),
  words: preset ?? '',
}));

/** Settings of Node.js, which the service only checks. */
const OF_THE_RUNTIME = ['ICU_TIMEZONE_FILES_DIR'];

test('every setting is in the table, and no other', () => {
  assert.deepEqual(settings.map(({ name }) => name).sort(), [...SETTING_NAMES, ...OF_THE_RUNTIME].sort());
});

/** Settings that are valid only together. */
const NEEDS: Record<string, Record<string, string>> = {
  TWILIO_API_URL: { TWILIO_ACCOUNT_SID: 'a', TWILIO_AUTH_TOKEN: 'b', TWILIO_FROM: '+15005550006' },
  SLACK_API_URL: { SLACK_BOT_TOKEN: 'a', SLACK_SIGNING_SECRET: 'b' },
  VAPID_SUBJECT: { VAPID_PUBLIC_KEY: bytes(65), VAPID_PRIVATE_KEY: bytes(32) },
  METRICS_HOST: { METRICS_PORT: '9464' },
  HEARTBEAT_SECONDS: { HEARTBEAT_URL: 'https://example.com/' },
  OIDC_NAME: { OIDC_ISSUER: 'https://example.com/', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
};

function bytes(count: number): string {
  return Buffer.alloc(count, 4).toString('base64url');
}

test('setting a variable to its documented default changes nothing', () => {
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

test('defaults that are documented in words are also correct', () => {
  const config = readConfig({});
  const { databaseUrl, databaseDirectUrl, secretKey, tls, smtp, twilio, slack, vapid, heartbeat, oidc } =
    config;
  const inWords: Record<string, Record<string, unknown>> = {
    none: {
      ...{
        DATABASE_DIRECT_URL: databaseDirectUrl,
        TLS_CERT_FILE: tls,
        TLS_KEY_FILE: tls,
        HEARTBEAT_URL: heartbeat,
        MOST_DATABASE_MB: config.mostDatabaseMb,
        ALLOWED_HOSTS: config.allowedHosts[0] ?? null,
        METRICS_TOKEN: config.metrics.token,
        ICU_TIMEZONE_FILES_DIR: config.timeZoneFiles,
        METRICS_PORT: config.metrics.listener,
      },
      ...{ SMTP_URL: smtp, SMTP_FROM: smtp, SLACK_BOT_TOKEN: slack, SLACK_SIGNING_SECRET: slack },
      ...{ TWILIO_ACCOUNT_SID: twilio, TWILIO_AUTH_TOKEN: twilio, TWILIO_FROM: twilio },
      ...{ OIDC_ISSUER: oidc, OIDC_CLIENT_ID: oidc, OIDC_CLIENT_SECRET: oidc },
    },
    'the embedded one': { DATABASE_URL: databaseUrl },
    'made into `DATA_DIR`': { SECRET_KEY: secretKey, VAPID_PUBLIC_KEY: vapid, VAPID_PRIVATE_KEY: vapid },
    '`PORT` + 1': { UPLOAD_PORT: config.uploadPort === config.port + 1 ? null : config.uploadPort },
    'what it listens on': {
      PUBLIC_URL: config.publicUrl === `http://${config.host}:${config.port}` ? null : config.publicUrl,
      UPLOAD_URL: config.uploadUrl === `http://${config.host}:${config.uploadPort}` ? null : config.uploadUrl,
    },
    // Null until the keys are opened, which `src/installation` tests.
    '`PUBLIC_URL` if it is `https:`': { VAPID_SUBJECT: readConfig(NEEDS.VAPID_SUBJECT ?? {}).vapid?.subject },
    all: { OIDC_EMAIL_DOMAINS: readConfig(NEEDS.OIDC_NAME ?? {}).oidc?.emailDomains.length || null },
  };
  const told = settings.filter(({ preset }) => preset === undefined);
  for (const { name = '', words } of told) assert.equal(inWords[words]?.[name], null, `${name}: ${words}`);
});

/** Settings of examples and of people who work on Tocsin: CONTRIBUTING.md and the pages that name them explain them. */
const OTHERS = [
  'TOCSIN_URL',
  'TOCSIN_KEY',
  'WEBHOOK_URL',
  'NAME_FILE',
  'EVERY_LOOK',
  'PICTURES',
  'FUZZ_SEED',
  'FUZZ_REQUESTS',
  'SIGNING_SECRET',
  'NODE_EXTRA_CA_CERTS',
  // Settings of the compose files.
  'UPLOAD_DOMAIN',
  'POSTGRES_PASSWORD',
];

test('no page, example or file names a setting that does not exist', () => {
  const names = new Set<string>(
    [...SETTING_NAMES, ...OF_THE_RUNTIME, ...OTHERS].flatMap((name) => [name, `${name}_FILE`]),
  );
  const paths = [
    'README.md',
    'ARCHITECTURE.md',
    ...filesIn('docs'),
    ...filesIn('docs/decisions'),
    ...filesIn('examples'),
  ];
  assert.ok(paths.length > 80);
  for (const path of paths)
    for (const [name] of readFileSync(new URL(path, root), 'utf8').matchAll(
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g,
    ))
      assert.ok(names.has(name), `${path} names ${name}`);
});

function filesIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);
}

function withoutSlashes(config: object): string {
  return JSON.stringify(config).replaceAll('/"', '"');
}

test('every metric of ours is in the table, with its labels', async () => {
  const { registry, watchLifeboat } = createMetrics();
  watchLifeboat({ state: 'ashore', copiedAt: null, aboard: 0 });
  const ours = (await registry.getMetricsAsJSON())
    .filter(({ name }) => !/^tocsin_(process|nodejs)_/.test(name))
    .map(({ name }) => [name, labelsOf(registry.getSingleMetric(name))]);
  for (const [name, labels] of Object.entries(ANSWER_METRICS)) ours.push([name, labels.join(', ')]);
  const told = table('docs/monitoring.md', 'Metrics').map(([, name, labels]) => [code(name), labels]);
  assert.deepEqual(told.sort(), ours.sort());
});

function labelsOf(metric: unknown): string {
  return (metric as { labelNames: string[] }).labelNames.join(', ');
}
