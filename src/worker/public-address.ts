import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Duty } from './duties.ts';
import { findPublicUrl } from './store.ts';

const LEARN_EVERY_MS = 5_000;

/** The base of links in messages. */
export type PublicAddress = {
  readonly current: string;
  /** The address that this process publishes; null when it serves no dashboard and `PUBLIC_URL` is not set. */
  readonly own: string | null;
  /** Reads the address that other processes publish. */
  learn(db: Database): Promise<void>;
  duty(db: Database): Duty;
};

/**
 * The base of links. A worker serves no dashboard, so unless `PUBLIC_URL` is set, it uses the address that the API processes
 * publish.
 */
export function createPublicAddress(
  config: Pick<Config, 'role' | 'publicUrl' | 'publicUrlIsSet'>,
): PublicAddress {
  const own = config.role === 'worker' && !config.publicUrlIsSet ? null : config.publicUrl;
  let current = config.publicUrl;

  async function learn(db: Database): Promise<void> {
    if (own === null) current = (await findPublicUrl(db)) ?? current;
  }

  return {
    get current() {
      return current;
    },
    own,
    learn,
    duty: (db) => ({
      name: 'learn where links lead',
      everyMs: LEARN_EVERY_MS,
      run: () => learn(db).then(() => false),
    }),
  };
}
