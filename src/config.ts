import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/**
 * Everything that can be set from outside, read once from the environment. Each variable may also be given as
 * `NAME_FILE`, the path of a file that holds its value. Nothing else in the program reads the environment.
 */
export type Config = {
  host: string;
  port: number;
  uploadPort: number;
  publicUrl: string;
  uploadUrl: string;
  dataDir: string;
  /** Null: the embedded database. */
  databaseUrl: string | null;
  role: Role;
  trustProxy: boolean;
  tls: { certFile: string; keyFile: string } | null;
  /** 32 bytes in base64; null: generated into the data directory. */
  secretKey: string | null;
  logLevel: string;
  rateLimit: { perSecond: number; burst: number };
  allowPrivateWebhooks: boolean;
  smtp: { url: string; from: string } | null;
  twilio: { accountSid: string; authToken: string; from: string; apiUrl: string } | null;
  slack: { botToken: string; signingSecret: string; apiUrl: string } | null;
  vapid: { publicKey: string; privateKey: string; subject: string } | null;
  retentionDays: number;
};

export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** A setting that stops the start; the message names the variable and the fix. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const SETTING_NAMES = [
  'HOST',
  'PORT',
  'UPLOAD_PORT',
  'PUBLIC_URL',
  'UPLOAD_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'TRUST_PROXY',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'SECRET_KEY',
  'LOG_LEVEL',
  'RATE_LIMIT_PER_SECOND',
  'RATE_LIMIT_BURST',
  'ALLOW_PRIVATE_WEBHOOKS',
  'SMTP_URL',
  'SMTP_FROM',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_FROM',
  'TWILIO_API_URL',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_API_URL',
  'VAPID_PUBLIC_KEY',
  'VAPID_PRIVATE_KEY',
  'VAPID_SUBJECT',
  'RETENTION_DAYS',
] as const;
type Name = (typeof SETTING_NAMES)[number];

/** Names that the command line reads; they say nothing to the server but must not stop it. */
const COMMAND_LINE_NAMES = ['TOCSIN_URL', 'TOCSIN_URL_FILE', 'TOCSIN_KEY', 'TOCSIN_KEY_FILE'];

export function readConfig(env: NodeJS.ProcessEnv, role: Role = 'all'): Readonly<Config> {
  refuseUnknown(env);
  const read = (name: Name) => readValue(env, name);
  const tls = readTls(read);
  const trustProxy = readFlag('TRUST_PROXY', read);
  const host = read('HOST') ?? '127.0.0.1';
  refuseOpenPlainHttp(host, tls !== null, trustProxy);
  const port = readInteger('PORT', read, 8080, 0, 65_535);
  const uploadPort = readInteger('UPLOAD_PORT', read, port === 0 ? 0 : port + 1, 0, 65_535);
  if (port !== 0 && uploadPort === port)
    throw new ConfigError(
      `UPLOAD_PORT is ${uploadPort}, the same as PORT; give the upload listener a port of its own`,
    );
  const address = (listenerPort: number) => `${tls ? 'https' : 'http'}://${urlHost(host)}:${listenerPort}`;
  return Object.freeze({
    host,
    port,
    uploadPort,
    publicUrl: readUrl('PUBLIC_URL', read, ['http:', 'https:']) ?? address(port),
    uploadUrl: readUrl('UPLOAD_URL', read, ['http:', 'https:']) ?? address(uploadPort),
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    databaseUrl: readUrl('DATABASE_URL', read, ['postgres:', 'postgresql:']),
    role,
    trustProxy,
    tls,
    secretKey: readSecretKey(read),
    logLevel: readChoice(
      'LOG_LEVEL',
      read,
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
    rateLimit: {
      perSecond: readInteger('RATE_LIMIT_PER_SECOND', read, 100, 1, 1_000_000),
      burst: readInteger('RATE_LIMIT_BURST', read, 1_000, 1, 10_000_000),
    },
    allowPrivateWebhooks: readFlag('ALLOW_PRIVATE_WEBHOOKS', read),
    ...readProviders(read),
    retentionDays: readInteger('RETENTION_DAYS', read, 30, 1, 3_650),
  });
}

/** Where commands find the server that they talk to, and as whom. */
export type Remote = {
  /** Without a slash at the end. */
  url: string;
  key: string | null;
};

/** Reads `TOCSIN_URL` and `TOCSIN_KEY`, for the commands that talk to a running server. */
export function readRemote(env: NodeJS.ProcessEnv): Readonly<Remote> {
  refuseUnknown(env);
  const read = (name: RemoteName) => readValue(env, name);
  const port = readInteger('PORT', (name) => readValue(env, name), 8080, 0, 65_535);
  const url = readUrl('TOCSIN_URL', read, ['http:', 'https:']) ?? `http://127.0.0.1:${port || 8080}`;
  const key = read('TOCSIN_KEY');
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError('TOCSIN_KEY is not an API key; give one as "tocsin key create" prints it');
  return Object.freeze({ url, key });
}

type RemoteName = 'TOCSIN_URL' | 'TOCSIN_KEY';
type Read = (name: Name) => string | null;

function readProviders(read: Read): Pick<Config, 'smtp' | 'twilio' | 'slack' | 'vapid'> {
  const smtp = readTogether(read, ['SMTP_URL', 'SMTP_FROM']);
  const twilio = readTogether(read, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
  const slack = readTogether(read, ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']);
  const vapid = readTogether(read, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
  if (smtp) readUrl('SMTP_URL', read, ['smtp:', 'smtps:']);
  return {
    smtp: smtp && { url: smtp.SMTP_URL, from: smtp.SMTP_FROM },
    twilio: twilio && {
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
      from: twilio.TWILIO_FROM,
      apiUrl: readUrl('TWILIO_API_URL', read, ['http:', 'https:']) ?? 'https://api.twilio.com',
    },
    slack: slack && {
      botToken: slack.SLACK_BOT_TOKEN,
      signingSecret: slack.SLACK_SIGNING_SECRET,
      apiUrl: readUrl('SLACK_API_URL', read, ['http:', 'https:']) ?? 'https://slack.com/api/',
    },
    vapid: vapid && {
      publicKey: vapid.VAPID_PUBLIC_KEY,
      privateKey: vapid.VAPID_PRIVATE_KEY,
      subject: read('VAPID_SUBJECT') ?? 'mailto:operator@localhost',
    },
  };
}

function readValue(env: NodeJS.ProcessEnv, name: Name | RemoteName): string | null {
  const value = env[name];
  const file = env[`${name}_FILE`];
  // TLS_CERT_FILE and TLS_KEY_FILE are names of files themselves; their own `_FILE` form would only confuse.
  if (file === undefined || file === '') return value === undefined || value === '' ? null : value;
  if (value) throw new ConfigError(`${name} and ${name}_FILE are both set; keep one of them`);
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    throw new ConfigError(
      `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}); correct the path or its permissions`,
    );
  }
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('TOCSIN_') || COMMAND_LINE_NAMES.includes(name)) continue;
    const bare = name.slice('TOCSIN_'.length);
    const hint = SETTING_NAMES.some((known) => known === bare)
      ? `; the name is ${bare}, without TOCSIN_`
      : '; remove it';
    throw new ConfigError(`${name} is not a setting of Tocsin${hint}`);
  }
}

function readInteger(name: Name, read: Read, fallback: number, min: number, max: number): number {
  const text = read(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`${name} is ${JSON.stringify(text)}; give a whole number from ${min} to ${max}`);
}

function readFlag(name: Name, read: Read): boolean {
  return (
    readChoice(name, read, ['true', 'false', '1', '0', 'yes', 'no'], 'false').match(/true|1|yes/) !== null
  );
}

function readChoice(name: Name, read: Read, choices: readonly string[], fallback: string): string {
  const text = read(name)?.toLowerCase() ?? fallback;
  if (choices.includes(text)) return text;
  throw new ConfigError(`${name} is ${JSON.stringify(text)}; give one of ${choices.join(', ')}`);
}

function readUrl<N extends Name | RemoteName>(
  name: N,
  read: (name: N) => string | null,
  protocols: readonly string[],
): string | null {
  const text = read(name);
  if (text === null) return null;
  const forms = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not a URL that starts with ${forms}; correct it`);
  }
  return text.replace(/\/+$/, '');
}

/** Settings that make sense only together: all, none, or a sentence that names the missing one. */
function readTogether<const N extends Name>(read: Read, names: readonly N[]): Record<N, string> | null {
  const values = names.map((name) => [name, read(name)] as const);
  const missing = values.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    const present = names.filter((name) => !missing.includes(name));
    throw new ConfigError(
      `${missing.join(' and ')} must be set as well when ${present.join(' and ')} is set`,
    );
  }
  return Object.fromEntries(values) as Record<N, string>;
}

function readTls(read: Read): Config['tls'] {
  const files = readTogether(read, ['TLS_CERT_FILE', 'TLS_KEY_FILE']);
  return files && { certFile: files.TLS_CERT_FILE, keyFile: files.TLS_KEY_FILE };
}

function refuseOpenPlainHttp(host: string, hasTls: boolean, trustProxy: boolean): void {
  if (hasTls || trustProxy || isLoopback(host)) return;
  throw new ConfigError(
    `HOST is ${host}, which others can reach, but no TLS is set up: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=true behind a proxy that speaks HTTPS, or HOST=127.0.0.1`,
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function readSecretKey(read: Read): string | null {
  const text = read('SECRET_KEY');
  if (text === null || Buffer.from(text, 'base64').length === 32) return text;
  throw new ConfigError(
    'SECRET_KEY must be 32 random bytes in base64; make one with: openssl rand -base64 32',
  );
}
