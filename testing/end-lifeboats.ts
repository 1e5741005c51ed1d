import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SYSTEM_DIRECTORY } from '../packages/embedded-postgres/location.ts';

/**
 * Ends the PostgreSQL of lifeboats whose nodes were killed, and removes their databases, which are outside of `DATA_DIR` when root
 * runs the tests. In service, the next start of a node takes them over.
 */
export async function endLifeboats(dataDir: string): Promise<void> {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  for (const name of names.filter((one) => /^lifeboat(-\d)?$/.test(one))) {
    const link = join(dataDir, name, 'postgres');
    if (!existsSync(link)) continue;
    const cluster = realpathSync(link);
    await endPostgres(join(cluster, 'postmaster.pid'));
    const isElsewhere = cluster.startsWith(`${SYSTEM_DIRECTORY}/`);
    await rm(isElsewhere ? dirname(cluster) : cluster, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function endPostgres(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  try {
    // SIGQUIT ends all of its processes at once.
    process.kill(pid, 'SIGQUIT');
    for (let times = 0; times < 100; times++) {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch {
    // It has ended.
  }
}
