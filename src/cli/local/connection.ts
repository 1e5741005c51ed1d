import type { ClientConfig } from 'pg';
import { withEmbeddedPostgres } from '../../../packages/embedded-postgres/visit.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Session } from '../session.ts';
import { explainAway } from './database.ts';

/** Lets a command use the database without changing it; unlike `withLocal`, it does not migrate the schema. */
export async function withBareDatabase<T>(
  session: Session,
  work: (connection: ClientConfig, config: Readonly<Config>) => Promise<T>,
): Promise<T> {
  const { env, output, progress, signal } = session;
  const config = readConfig(env);
  const { databaseUrl, databaseDirectUrl } = config;
  progress.step('Opening the database …');
  if (databaseUrl !== null) {
    const connection = { connectionString: databaseDirectUrl ?? databaseUrl };
    return work(connection, config).catch((error: unknown) => {
      throw explainAway(databaseUrl, error);
    });
  }
  const log = { info: progress.step, warn: output.note };
  return withEmbeddedPostgres(config.dataDir, (connection) => work({ ...connection }, config), {
    log,
    signal,
  });
}
