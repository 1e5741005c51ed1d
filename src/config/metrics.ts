import { isLoopbackHost } from '../kit/loopback.ts';
import { ConfigError, type Read, readInteger } from '../kit/setting.ts';

/** Who may read `/metrics`, and where. With neither a token nor a port, nobody. */
export type MetricsSettings = {
  /** Opens `/metrics` and the checks of `/readyz` on `PORT` to requests with this token. */
  token: string | null;
  /** A separate listener. */
  listener: { host: string; port: number } | null;
};

export const METRICS_NAMES = ['METRICS_TOKEN', 'METRICS_PORT', 'METRICS_HOST'] as const;
type Name = (typeof METRICS_NAMES)[number];

export function readMetrics(read: Read<Name>, taken: Record<string, number>): MetricsSettings {
  const token = read('METRICS_TOKEN');
  if (token !== null && !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError(
      'METRICS_TOKEN has characters that are not allowed in a header; make one with: openssl rand -hex 32',
    );
  return { token, listener: readListener(read, token, taken) };
}

function readListener(
  read: Read<Name>,
  token: string | null,
  taken: Record<string, number>,
): MetricsSettings['listener'] {
  const host = read('METRICS_HOST') ?? '127.0.0.1';
  if (read('METRICS_PORT') === null) {
    if (read('METRICS_HOST') === null) return null;
    throw new ConfigError('METRICS_HOST is set without METRICS_PORT; set METRICS_PORT as well');
  }
  const port = readInteger('METRICS_PORT', read, 0, 1, 65_535);
  const same = Object.keys(taken).find((name) => taken[name] === port);
  if (same !== undefined)
    throw new ConfigError(
      `METRICS_PORT is ${port}, the same as ${same}; set METRICS_PORT to a different port`,
    );
  if (token === null && !isLoopbackHost(host))
    throw new ConfigError(
      `METRICS_HOST is ${host}, which others can reach: set METRICS_TOKEN as well, or METRICS_HOST=127.0.0.1`,
    );
  return { host, port };
}
