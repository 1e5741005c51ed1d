// The health check of the container: exit code 0 if this server answers and its database takes writes.
import { readFileSync } from 'node:fs';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

function setting(name) {
  const file = process.env[`${name}_FILE`];
  return process.env[name] ?? (file ? readFileSync(file, 'utf8').trim() : undefined);
}

const host = setting('HOST') ?? '127.0.0.1';
const everywhere = host === '0.0.0.0' || host === '::';
const options = {
  host: everywhere ? '127.0.0.1' : host,
  port: setting('PORT') ?? 8080,
  path: '/healthz',
  timeout: 4_000,
  // This is the loopback address, and the certificate names another host.
  rejectUnauthorized: false,
};
const get = setting('TLS_CERT_FILE') ? getHttps : getHttp;

get(options, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
