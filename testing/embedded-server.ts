/**
 * A minimal server or command for tests that start, stop and kill one: `node embedded-server.ts OPTIONS`, with the
 * options as JSON. It reports events on stdout, one JSON object a line, and ends on SIGTERM.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/supervisor.ts';
import { withEmbeddedPostgres } from '../packages/embedded-postgres/visit.ts';
import type { EmbeddedEvent, EmbeddedServerOptions } from './embedded.ts';

const { role, ...options } = JSON.parse(process.argv[2] ?? '{}') as EmbeddedServerOptions;
const ended = new AbortController();
process.on('SIGTERM', () => ended.abort(new Error('SIGTERM')));

const log = {
  info: (message: string) => tell({ event: 'log', message }),
  warn: (message: string) => tell({ event: 'log', message }),
};

tell({ event: 'begun' });
try {
  await (role === 'server' ? serve() : visit());
  tell({ event: 'ended' });
} catch (error) {
  tell({ event: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const onCrash = () => tell({ event: 'crashed' });
  const database = await startEmbeddedPostgres({ ...options, log, onCrash, signal: ended.signal });
  tell({ event: 'running', connection: database.connection });
  await untilEnded();
  await database.stop();
}

async function visit(): Promise<void> {
  await withEmbeddedPostgres(
    options.dataDir,
    async (connection) => {
      tell({ event: 'running', connection });
      if (role === 'visitor') await untilEnded();
      if (role === 'aborted visitor') await delay(3_600_000);
    },
    { ...options, log, ...(role === 'aborted visitor' && { signal: ended.signal }) },
  );
}

async function untilEnded(): Promise<void> {
  while (!ended.signal.aborted)
    await delay(3_600_000, undefined, { signal: ended.signal }).catch(() => undefined);
}

function tell(event: EmbeddedEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
