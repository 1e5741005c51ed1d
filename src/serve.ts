import type { ClientConfig } from 'pg';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded/supervisor.ts';
import type { Log } from './kit/log.ts';

/**
 * Runs the server until SIGTERM or SIGINT, then ends in order. A second signal ends at once. Resolves when nothing of
 * it is left.
 */
export async function serve(config: Config, log: Log): Promise<void> {
  const stopping = new AbortController();
  const asked = onSignal((signal) => {
    log.info({ signal }, 'ending: finishing what is under way');
    stopping.abort(new Error(`the start was ended by ${signal}`));
  });
  try {
    const database = await openDatabase(config, log, stopping.signal);
    try {
      await serveOn(database.connection, config, log, stopping.signal);
    } finally {
      await database.stop();
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    asked.forget();
  }
}

async function openDatabase(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<{ connection: ClientConfig; stop(): Promise<void> }> {
  if (config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, stop: async () => undefined };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log, signal });
}

async function serveOn(
  connection: ClientConfig,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const app = await createApp({ config, connection, log });
  try {
    signal.throwIfAborted();
    await app.listen();
    log.info({ url: config.publicUrl, uploads: config.uploadUrl, role: config.role }, 'Tocsin is ready');
    await aborted(signal);
  } finally {
    await app.stop();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

/** A closed terminal (SIGHUP) ends the service as an operator would. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function onSignal(first: (signal: string) => void): { forget(): void } {
  let times = 0;
  const handler = (signal: NodeJS.Signals) => {
    times++;
    if (times === 1) first(signal);
    else if (times > 2) process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  return {
    forget() {
      for (const signal of SIGNALS) process.off(signal, handler);
    },
  };
}
