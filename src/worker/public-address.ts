import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Duty } from './duties.ts';
import { findPublicUrl } from './store.ts';

const LEARN_EVERY_MS = 5_000;

/** What links in messages begin with. */
export type PublicAddress = {
  readonly current: string;
  /** What this process tells the others; null when it does not serve the dashboard and nobody set `PUBLIC_URL` for it. */
  readonly own: string | null;
  /** Looks what the others tell. */
  learn(db: Database): Promise<void>;
  duty(db: Database): Duty;
};

/**
 * A worker serves no dashboard: links to its own port would lead nowhere. Unless `PUBLIC_URL` is set for it, it takes the address that
 * the processes which answer requests have told.
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
