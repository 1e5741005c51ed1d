import type { Config } from '../config.ts';
import { explainAway } from './local/database.ts';
import { Refusal } from './refusal.ts';

/** Explains why the server did not start, with the fix, if the cause is known; otherwise returns the error itself. */
export function explainStart(
  config: Pick<Config, 'databaseUrl' | 'host' | 'uploadPort' | 'metrics'>,
  error: unknown,
): unknown {
  const { code, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen' && code !== undefined) {
    const { listener } = config.metrics;
    if (listener && port === listener.port)
      return new Refusal(cannotListen(code, 'METRICS_PORT', port, `METRICS_HOST ${listener.host}`));
    const name = port === config.uploadPort ? 'UPLOAD_PORT' : 'PORT';
    return new Refusal(cannotListen(code, name, port, `HOST ${config.host}`));
  }
  return config.databaseUrl === null ? error : explainAway(config.databaseUrl, error);
}

function cannotListen(code: string, name: string, port: number | undefined, host: string): string {
  if (code === 'EADDRINUSE')
    return `${name} ${port} is in use by another program; stop it, or set ${name} to another port`;
  if (code === 'EACCES')
    return `${name} ${port} may not be used by this user; set ${name} to a port from 1024, or allow it`;
  const [hostName] = host.split(' ');
  return `${host} is not an address of this machine (${code}); set ${hostName} to one that is, or to 127.0.0.1`;
}
