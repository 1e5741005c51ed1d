import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { LIFEBOAT_NAMES, type LifeboatSettings, readLifeboat } from './config/lifeboat.ts';
import { METRICS_NAMES, type MetricsSettings, readMetrics } from './config/metrics.ts';
import { OIDC_NAMES, type OidcSettings, readOidc } from './config/oidc.ts';
import { unknownNames } from './config/remote.ts';
import { RETENTION_NAMES, type Retention, readRetention } from './config/retention.ts';
import type { Role } from './config/role.ts';
import { readTimeZoneFiles } from './config/time-zones.ts';
import { readWatching, WATCH_NAMES, type WatchSettings } from './config/watching.ts';
import { AddressFault, readAddress as readDatabaseAddress } from './db/address.ts';
import { FEWEST_CONNECTIONS, MOST_CONNECTIONS } from './db/budget.ts';
import { isLoopbackHost } from './kit/loopback.ts';
import {
  ConfigError,
  type Read,
  readAddress,
  readChoice,
  readFlag,
  readInteger,
  readingFrom,
  readTogether,
} from './kit/setting.ts';
import { PROVIDER_VARIABLES, type Providers, readProviders } from './notifications/channels/registry.ts';

/**
 * The whole configuration, read once from the environment. Each variable can also be given as `NAME_FILE`, the path of
 * a file that contains its value. Nothing else in the program reads the environment.
 */
export type Config = {
  host: string;
  port: number;
  uploadPort: number;
  publicUrl: string;
  /** False: `publicUrl` is derived from the address that this process listens on. */
  publicUrlIsSet: boolean;
  uploadUrl: string;
  dataDir: string;
  /** Null: the embedded database is used. */
  databaseUrl: string | null;
  /** Bypasses a pooler, for features that do not work through one. Null: `databaseUrl` leads to PostgreSQL itself. */
  databaseDirectUrl: string | null;
  /** The most connections that this process opens to the database. */
  databaseConnections: number;
  /** Null: no pages are accepted while the database is away. */
  lifeboat: LifeboatSettings | null;
  role: Role;
  trustProxy: boolean;
  /** Accepted values of the Host header in addition to those of `publicUrl` and `uploadUrl`. */
  allowedHosts: string[];
  tls: { certFile: string; keyFile: string } | null;
  /** 32 bytes in base64; null: generated in the data directory. */
  secretKey: string | null;
  logLevel: string;
  /** How long requests are still answered after SIGTERM, while `/readyz` fails. */
  drainSeconds: number;
  rateLimit: { perSecond: number; burst: number };
  allowPrivateWebhooks: boolean;
  /**
   * Nothing is sent to providers, and messages to them are recorded as accepted. Set by `--demo`, not by a variable.
   */
  mute?: boolean;
  /** Owners and admins may set up providers in the dashboard. False: only the environment does. */
  dashboardProviders: boolean;
  retentionDays: number;
  retention: Retention;
  oidc: OidcSettings | null;
  metrics: MetricsSettings;
  /** The folder with time zone data; null: the data of Node.js. */
  timeZoneFiles: string | null;
} & Providers &
  WatchSettings;

export const SETTING_NAMES = [
  'HOST',
  'PORT',
  'UPLOAD_PORT',
  'PUBLIC_URL',
  'UPLOAD_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_CONNECTIONS',
  ...LIFEBOAT_NAMES,
  'TRUST_PROXY',
  'ALLOWED_HOSTS',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'SECRET_KEY',
  'LOG_LEVEL',
  'DRAIN_SECONDS',
  'RATE_LIMIT_PER_SECOND',
  'RATE_LIMIT_BURST',
  'ALLOW_PRIVATE_WEBHOOKS',
  ...PROVIDER_VARIABLES,
  'DASHBOARD_PROVIDERS',
  'RETENTION_DAYS',
  ...RETENTION_NAMES,
  ...WATCH_NAMES,
  ...METRICS_NAMES,
  ...OIDC_NAMES,
] as const;
type Name = (typeof SETTING_NAMES)[number];

export function readConfig(env: NodeJS.ProcessEnv, role: Role = 'all'): Readonly<Config> {
  refuseUnknown(env);
  const read: Read<Name> = readingFrom(env);
  const tls = readTls(read);
  const trustProxy = readFlag('TRUST_PROXY', read);
  const host = read('HOST') ?? '127.0.0.1';
  refuseOpenPlainHttp(host, tls !== null, trustProxy);
  const port = readInteger('PORT', read, 8080, 0, 65_535);
  const uploadPort = readInteger('UPLOAD_PORT', read, port === 0 ? 0 : port + 1, 0, 65_535);
  if (uploadPort > 65_535)
    throw new ConfigError(
      `PORT is ${port}, the highest port, so UPLOAD_PORT cannot be one more; set UPLOAD_PORT to another port`,
    );
  if (port !== 0 && uploadPort === port)
    throw new ConfigError(
      `UPLOAD_PORT is ${uploadPort}, the same as PORT; set UPLOAD_PORT to a different port`,
    );
  const address = (listenerPort: number) => `${tls ? 'https' : 'http'}://${urlHost(host)}:${listenerPort}`;
  const database = readDatabase(read);
  return Object.freeze({
    host,
    port,
    uploadPort,
    publicUrl: readAddress('PUBLIC_URL', read) ?? address(port),
    publicUrlIsSet: read('PUBLIC_URL') !== null,
    uploadUrl: readAddress('UPLOAD_URL', read) ?? address(uploadPort),
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    timeZoneFiles: readTimeZoneFiles(env),
    ...database,
    databaseConnections: readConnections(read),
    lifeboat: readLifeboat(read, database.databaseUrl),
    role,
    trustProxy,
    allowedHosts: readHosts(read),
    tls,
    secretKey: readSecretKey(read),
    logLevel: readChoice(
      'LOG_LEVEL',
      read,
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
    drainSeconds: readInteger('DRAIN_SECONDS', read, 5, 0, 300),
    rateLimit: {
      perSecond: readInteger('RATE_LIMIT_PER_SECOND', read, 100, 1, 1_000_000),
      burst: readInteger('RATE_LIMIT_BURST', read, 1_000, 1, 10_000_000),
    },
    allowPrivateWebhooks: readFlag('ALLOW_PRIVATE_WEBHOOKS', read),
    ...readProviders(read),
    dashboardProviders: readFlag('DASHBOARD_PROVIDERS', read, true),
    retentionDays: readInteger('RETENTION_DAYS', read, 30, 1, 3_650),
    retention: readRetention(read),
    ...readWatching(read),
    oidc: readOidc(read),
    metrics: readMetrics(read, { PORT: port, UPLOAD_PORT: uploadPort }),
  });
}

function readHosts(read: Read<Name>): string[] {
  const hosts = (read('ALLOWED_HOSTS') ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean);
  const wrong = hosts.find(
    (host) => !URL.canParse(`http://${host}/`) || !/^[\w.-]+$|^\[[\da-f:.]+\]$/.test(host),
  );
  if (wrong === undefined) return hosts;
  throw new ConfigError(
    `ALLOWED_HOSTS has ${JSON.stringify(wrong)}, which is not the name of a host; give names without ports, with commas between them`,
  );
}

function readConnections(read: Read<Name>): number {
  const fewest = FEWEST_CONNECTIONS;
  return readInteger('DATABASE_CONNECTIONS', read, fewest, fewest, MOST_CONNECTIONS);
}

function readDatabase(read: Read<Name>): Pick<Config, 'databaseUrl' | 'databaseDirectUrl'> {
  const databaseUrl = readDatabaseUrl('DATABASE_URL', read);
  const databaseDirectUrl = readDatabaseUrl('DATABASE_DIRECT_URL', read);
  if (databaseDirectUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_DIRECT_URL is set without DATABASE_URL; set DATABASE_URL as well');
  return { databaseUrl, databaseDirectUrl };
}

/** @throws ConfigError if an unknown variable begins with TOCSIN_, with the nearest name if there is one */
export function refuseUnknown(env: NodeJS.ProcessEnv): void {
  for (const name of unknownNames(env)) {
    const bare = name.slice('TOCSIN_'.length);
    const hint = SETTING_NAMES.some((known) => known === bare || `${known}_FILE` === bare)
      ? `; the name is ${bare}, without TOCSIN_`
      : '; remove it';
    throw new ConfigError(`${name} is not a setting of Tocsin${hint}`);
  }
}

function readTls(read: Read<Name>): Config['tls'] {
  const files = readTogether(read, ['TLS_CERT_FILE', 'TLS_KEY_FILE']);
  return files && { certFile: files.TLS_CERT_FILE, keyFile: files.TLS_KEY_FILE };
}

function refuseOpenPlainHttp(host: string, hasTls: boolean, trustProxy: boolean): void {
  if (hasTls || trustProxy || isLoopbackHost(host)) return;
  throw new ConfigError(
    `HOST is ${host}, which others can reach, but no TLS is set up: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=true behind a proxy that speaks HTTPS, or HOST=127.0.0.1`,
  );
}

/** The host of links when `PUBLIC_URL` is not set. Links cannot lead to the address of all interfaces. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}

function readSecretKey(read: Read<Name>): string | null {
  const text = read('SECRET_KEY');
  if (text === null || Buffer.from(text, 'base64').length === 32) return text;
  throw new ConfigError(
    'SECRET_KEY must be 32 random bytes in base64; make one with: openssl rand -base64 32',
  );
}

/** One PostgreSQL server, or several, one of which accepts writes. The value contains a password and is never shown. */
function readDatabaseUrl<N extends string>(name: N, read: Read<N>): string | null {
  const text = read(name)?.replace(/\/+$/, '') ?? null;
  if (text === null) return null;
  try {
    const { sessionAttrs } = readDatabaseAddress(text);
    if (TAKES_WRITES.includes(sessionAttrs)) return text;
    throw new AddressFault(
      `has target_session_attrs=${sessionAttrs}, but Tocsin writes into its database; give read-write or primary`,
    );
  } catch (error) {
    if (error instanceof AddressFault) throw new ConfigError(`${name} ${error.message}`);
    throw error;
  }
}

const TAKES_WRITES: readonly string[] = ['any', 'read-write', 'primary'];
