import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Config, readConfig, SETTING_NAMES } from './config.ts';
import { type PROVIDER_VARIABLES, type Providers, readProviders } from './notifications/channels/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-config-'));
after(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const PUSH_KEYS = {
  public: Buffer.alloc(65, 4).toString('base64url'),
  private: Buffer.alloc(32, 5).toString('base64url'),
};
type Name = (typeof SETTING_NAMES)[number];
type ProviderName = (typeof PROVIDER_VARIABLES)[number];
/** Every setting, and what it becomes; the settings of a new provider are tested with its channel. */
const EVERYTHING: Record<Exclude<Name, ProviderName>, string> & Partial<Record<ProviderName, string>> = {
  HOST: '10.0.0.1',
  PORT: '443',
  UPLOAD_PORT: '8443',
  PUBLIC_URL: 'https://tocsin.example.com/',
  UPLOAD_URL: 'https://upload.example.com/tocsin',
  DATA_DIR: '/var/lib/tocsin',
  DATABASE_URL: 'postgres://tocsin:secret@db/tocsin?sslmode=require',
  DATABASE_DIRECT_URL: 'postgres://tocsin:secret@db-1/tocsin',
  DATABASE_CONNECTIONS: '20',
  LIFEBOAT: 'on',
  LIFEBOAT_AFTER_SECONDS: '8',
  TRUST_PROXY: 'yes',
  ALLOWED_HOSTS: 'Tocsin.internal, [fd00::1]',
  TLS_CERT_FILE: '/tls/cert.pem',
  TLS_KEY_FILE: '/tls/key.pem',
  SECRET_KEY: KEY,
  LOG_LEVEL: 'WARN',
  DRAIN_SECONDS: '30',
  RATE_LIMIT_PER_SECOND: '5',
  RATE_LIMIT_BURST: '50',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  DASHBOARD_PROVIDERS: 'false',
  SMTP_URL: 'smtps://mailer:secret@mail.example.com',
  SMTP_FROM: 'Tocsin <tocsin@example.com>',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+15005550006',
  TWILIO_API_URL: 'http://127.0.0.1:1/twilio/',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_API_URL: 'http://127.0.0.1:2/api/',
  VAPID_PUBLIC_KEY: PUSH_KEYS.public,
  VAPID_PRIVATE_KEY: PUSH_KEYS.private,
  VAPID_SUBJECT: 'mailto:ops@example.com',
  RETENTION_DAYS: '7',
  PAGE_RETENTION_DAYS: '1000',
  MOMENT_RETENTION_DAYS: '500',
  REQUEST_RETENTION_DAYS: '60',
  AUDIT_RETENTION_DAYS: '3650',
  SCHEDULE_RETENTION_DAYS: '500',
  ALARM_SECONDS: '20',
  HEARTBEAT_URL: 'https://watch.example.com/ping/uuid?source=tocsin',
  HEARTBEAT_SECONDS: '30',
  SYNTHETIC_PAGES: 'true',
  LEAST_FREE_MB: '2048',
  MOST_DATABASE_MB: '50000',
  METRICS_TOKEN: 'scrape-me',
  METRICS_PORT: '9464',
  METRICS_HOST: '10.0.0.2',
  OIDC_ISSUER: 'https://login.example.com/realms/acme',
  OIDC_CLIENT_ID: 'tocsin',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_NAME: 'Acme',
  OIDC_EMAIL_DOMAINS: 'example.com, @Example.org',
};
const READ: Omit<Config, keyof Providers> & Partial<Providers> = {
  host: '10.0.0.1',
  port: 443,
  uploadPort: 8443,
  publicUrl: 'https://tocsin.example.com',
  publicUrlIsSet: true,
  uploadUrl: 'https://upload.example.com/tocsin',
  dataDir: '/var/lib/tocsin',
  timeZoneFiles: null,
  databaseUrl: 'postgres://tocsin:secret@db/tocsin?sslmode=require',
  databaseDirectUrl: 'postgres://tocsin:secret@db-1/tocsin',
  databaseConnections: 20,
  lifeboat: { afterSeconds: 8 },
  role: 'worker',
  trustProxy: true,
  allowedHosts: ['tocsin.internal', '[fd00::1]'],
  tls: { certFile: '/tls/cert.pem', keyFile: '/tls/key.pem' },
  secretKey: KEY,
  logLevel: 'warn',
  drainSeconds: 30,
  rateLimit: { perSecond: 5, burst: 50 },
  allowPrivateWebhooks: true,
  dashboardProviders: false,
  smtp: { url: 'smtps://mailer:secret@mail.example.com', from: 'Tocsin <tocsin@example.com>' },
  twilio: {
    accountSid: 'AC1',
    authToken: 'token',
    from: '+15005550006',
    apiUrl: 'http://127.0.0.1:1/twilio',
  },
  slack: { botToken: 'xoxb-1', signingSecret: 'signing', apiUrl: 'http://127.0.0.1:2/api' },
  twilioApiUrl: 'http://127.0.0.1:1/twilio',
  slackApiUrl: 'http://127.0.0.1:2/api',
  vapid: { publicKey: PUSH_KEYS.public, privateKey: PUSH_KEYS.private, subject: 'mailto:ops@example.com' },
  retentionDays: 7,
  retention: { pages: 1000, moments: 500, requests: 60, audit: 3650, schedules: 500 },
  alarmSeconds: 20,
  heartbeat: { url: 'https://watch.example.com/ping/uuid?source=tocsin', seconds: 30 },
  syntheticPages: true,
  leastFreeMb: 2_048,
  mostDatabaseMb: 50_000,
  metrics: { token: 'scrape-me', listener: { host: '10.0.0.2', port: 9464 } },
  oidc: {
    issuer: 'https://login.example.com/realms/acme',
    clientId: 'tocsin',
    clientSecret: 'secret',
    name: 'Acme',
    emailDomains: ['example.com', 'example.org'],
  },
};

/** The sentence with which an environment stops the start. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    const { name, message } = error as Error;
    assert.equal(name, 'ConfigError');
    assert.doesNotMatch(message, /\n/);
    return message;
  }
  return assert.fail(`${JSON.stringify(env)} was accepted`);
}

describe('the settings', () => {
  it('are all optional', () => {
    const config = readConfig({ PATH: '/bin', HOME: '/root' });
    const { host, port, uploadPort, publicUrl, uploadUrl, dataDir, role, tls, databaseUrl } = config;
    assert.deepEqual(
      [host, port, uploadPort, role, tls, databaseUrl],
      ['127.0.0.1', 8080, 8081, 'all', null, null],
    );
    assert.deepEqual([publicUrl, uploadUrl], ['http://127.0.0.1:8080', 'http://127.0.0.1:8081']);
    assert.equal(dataDir, resolve('data'));
    assert.ok(Object.isFrozen(config));
  });

  it('are read, every one', () => {
    assert.deepEqual(readConfig(EVERYTHING, 'worker'), { ...readProviders(() => null), ...READ });
  });

  it('may each be kept in a file', () => {
    const files = Object.entries(EVERYTHING).map(([name, value]) => [`${name}_FILE`, file(`${value}\n`)]);
    assert.deepEqual(readConfig(Object.fromEntries(files), 'worker'), {
      ...readProviders(() => null),
      ...READ,
    });
  });

  it('are as if they were not there when they are empty', () => {
    const empty = SETTING_NAMES.flatMap((name) => [
      [name, ''],
      [`${name}_FILE`, ''],
    ]);
    assert.deepEqual(readConfig(Object.fromEntries(empty)), readConfig({}));
  });

  it('stop the start when their file cannot be read, is empty, or is one of two', () => {
    assert.equal(
      refusal({ SMTP_URL_FILE: join(folder, 'none') }),
      `SMTP_URL_FILE names ${join(folder, 'none')}, which cannot be read (ENOENT); correct the path or its permissions`,
    );
    assert.match(refusal({ DATABASE_URL_FILE: folder }), /^DATABASE_URL_FILE names .*\(EISDIR\)/);
    const blank = file(' \n');
    assert.equal(
      refusal({ SECRET_KEY_FILE: blank }),
      `SECRET_KEY_FILE names ${blank}, which is empty; write the value into it`,
    );
    assert.equal(
      refusal({ PORT: '80', PORT_FILE: file('81') }),
      'PORT and PORT_FILE are both set; keep one of them',
    );
  });

  it('stop the start when their names are made up', () => {
    assert.equal(
      refusal({ TOCSIN_PORT: '80' }),
      'TOCSIN_PORT is not a setting of Tocsin; the name is PORT, without TOCSIN_',
    );
    assert.equal(
      refusal({ TOCSIN_SECRET_KEY_FILE: 'x' }),
      'TOCSIN_SECRET_KEY_FILE is not a setting of Tocsin; the name is SECRET_KEY_FILE, without TOCSIN_',
    );
    assert.equal(refusal({ TOCSIN_MODE: 'fast' }), 'TOCSIN_MODE is not a setting of Tocsin; remove it');
    readConfig({ TOCSIN_URL: 'x', TOCSIN_KEY_FILE: 'y', MY_TOCSIN_PORT: '1' });
  });
});

describe('several hosts of the database', () => {
  it('are read, and wrong ones stop the start', () => {
    const url = 'postgresql://u:secret@h1:5432,h2:5433/db?target_session_attrs=read-write';
    const { databaseUrl, databaseDirectUrl } = readConfig({ DATABASE_URL: url, DATABASE_DIRECT_URL: url });
    assert.deepEqual([databaseUrl, databaseDirectUrl], [url, url]);
    const cases: [string, string][] = [
      [
        'postgresql://u:secret@h1,h2:x/db',
        'has the port "x"; give a whole number from 1 to 65535 after each host',
      ],
      [
        'postgresql://u:secret@h1,h2/db?target_session_attrs=standby',
        'has target_session_attrs=standby, but Tocsin writes into its database; give read-write or primary',
      ],
    ];
    for (const [value, expected] of cases) {
      assert.equal(refusal({ DATABASE_URL: value }), `DATABASE_URL ${expected}`);
      assert.equal(
        refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: value }),
        `DATABASE_DIRECT_URL ${expected}`,
      );
    }
  });
});

describe('bad values', () => {
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'http' }, 'PORT is "http"; give a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT is "65536"; give a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT is "-1"; give a whole number from 0 to 65535'],
    [{ PORT: '8080 ' }, 'PORT is "8080 "; give a whole number from 0 to 65535'],
    [
      { PORT: '65535' },
      'PORT is 65535, the highest port, so UPLOAD_PORT cannot be one more; set UPLOAD_PORT to another port',
    ],
    [
      { PORT: '80', UPLOAD_PORT: '80' },
      'UPLOAD_PORT is 80, the same as PORT; set UPLOAD_PORT to a different port',
    ],
    [{ RATE_LIMIT_PER_SECOND: '0' }, 'RATE_LIMIT_PER_SECOND is "0"; give a whole number from 1 to 1000000'],
    [{ RATE_LIMIT_BURST: '1e3' }, 'RATE_LIMIT_BURST is "1e3"; give a whole number from 1 to 10000000'],
    [{ RETENTION_DAYS: '0' }, 'RETENTION_DAYS is "0"; give a whole number from 1 to 3650'],
    [
      { SCHEDULE_RETENTION_DAYS: '365' },
      'SCHEDULE_RETENTION_DAYS is "365"; give a whole number from 410 to 36500',
    ],
    [
      { LIFEBOAT: 'on' },
      'LIFEBOAT is on, but the embedded database is on the same disk, so a lifeboat cannot help; remove LIFEBOAT, or set DATABASE_URL',
    ],
    [{ LIFEBOAT: 'true' }, 'LIFEBOAT is "true"; give one of on, off'],
    [{ LIFEBOAT_AFTER_SECONDS: '1' }, 'LIFEBOAT_AFTER_SECONDS is "1"; give a whole number from 2 to 600'],
    [{ TRUST_PROXY: 'on' }, 'TRUST_PROXY is "on"; give one of true, false, 1, 0, yes, no'],
    [
      { ALLOW_PRIVATE_WEBHOOKS: '10.0.0.0/8' },
      'ALLOW_PRIVATE_WEBHOOKS is "10.0.0.0/8"; give one of true, false, 1, 0, yes, no',
    ],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL is "loud"; give one of fatal, error, warn, info, debug, trace, silent',
    ],
    [
      { PUBLIC_URL: 'tocsin.example.com' },
      'PUBLIC_URL is not a URL that starts with http:// or https://; correct it',
    ],
    [
      { UPLOAD_URL: 'https://a/?x=1' },
      'UPLOAD_URL is https://a/?x=1, which has a query or a fragment; end it before the ? or #',
    ],
    [
      { DATABASE_URL: 'mysql://db' },
      'DATABASE_URL is not a URL that starts with postgres:// or postgresql://; correct it',
    ],
    [
      { SMTP_URL: 'mail.example.com:25', SMTP_FROM: 'a@b.c' },
      'SMTP_URL is not a URL that starts with smtp:// or smtps://; correct it',
    ],
    [
      { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'Tocsin' },
      'SMTP_FROM is not an email address; give one such as "Tocsin <tocsin@example.com>"',
    ],
    [
      { VAPID_PUBLIC_KEY: 'public', VAPID_PRIVATE_KEY: PUSH_KEYS.private },
      'VAPID_PUBLIC_KEY is not a key of Web Push; give 65 bytes in URL-safe base64, or remove both keys to have them made',
    ],
    [
      { VAPID_PUBLIC_KEY: PUSH_KEYS.public, VAPID_PRIVATE_KEY: PUSH_KEYS.public },
      'VAPID_PRIVATE_KEY is not a key of Web Push; give 32 bytes in URL-safe base64, or remove both keys to have them made',
    ],
    [
      { VAPID_PUBLIC_KEY: PUSH_KEYS.public, VAPID_PRIVATE_KEY: PUSH_KEYS.private, VAPID_SUBJECT: 'ops' },
      'VAPID_SUBJECT must be a mailto: address or an https: URL that names who runs this service',
    ],
    [
      { SECRET_KEY: 'c2hvcnQ=' },
      'SECRET_KEY must be 32 random bytes in base64; make one with: openssl rand -base64 32',
    ],
  ];
  for (const [env, sentence] of cases)
    it(`stop the start: ${JSON.stringify(env)}`, () => assert.equal(refusal(env), sentence));

  it('are not repeated where they may be secret', () => {
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'SECRET_KEY'])
      assert.doesNotMatch(refusal({ [name]: 'hunter2', SMTP_FROM: 'a@b.c' }), /hunter2/);
  });
});

describe('settings that belong together', () => {
  const groups = [
    ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
    ['SMTP_URL', 'SMTP_FROM'],
    ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
    ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'],
    ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  ] as const;
  for (const names of groups)
    it(`stop the start when one is missing: ${names.join(', ')}`, () => {
      for (const missing of names) {
        const present = names.filter((name) => name !== missing);
        const env = Object.fromEntries(present.map((name) => [name, EVERYTHING[name] ?? '']));
        assert.equal(refusal(env), `${missing} must be set as well when ${present.join(' and ')} is set`);
      }
    });
});
