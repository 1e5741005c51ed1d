import { randomBytes } from 'node:crypto';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Sealing } from '../../kit/sealing.ts';
import type { Raiser } from '../../pages/raise.ts';
import { receiverAddress } from './receiver.ts';
import {
  findSitter,
  holdSyntheticLock,
  insertSitter,
  readSyntheticState,
  removeSynthetic,
  type Sitter,
} from './store.ts';

const EVERY_SECONDS = 60;
/** A domain that nobody can register. */
const EMAIL = 'tocsin@synthetic.invalid';

/**
 * Pages that the service sends to itself. They are accepted, sent and recorded like any other page, but in a hidden
 * organization, so that no list and no report contains them.
 */
export type SyntheticPages = {
  /** Raises the next page after a minute, on one of the nodes. */
  next(): Promise<void>;
  /** For how many seconds a page has been missing; 0 when none is. */
  lateness(): Promise<number>;
};

export function createSyntheticPages(services: {
  db: Database;
  clock: Clock;
  sealing: Sealing;
  raiser: Raiser;
  /** How long the last page took. */
  onArrival(seconds: number): void;
}): SyntheticPages {
  const { db, clock, sealing, raiser, onArrival } = services;

  async function sitter(): Promise<Sitter> {
    const known = await findSitter(db);
    if (known) return known;
    const signingSecret = sealing.seal(`whsec_${randomBytes(32).toString('base64')}`);
    const person = { email: EMAIL, address: receiverAddress(sealing), signingSecret };
    return db.transaction().execute((tx) => insertSitter(tx, clock, person));
  }

  async function raise({ organizationId, userId }: Sitter): Promise<void> {
    const body = {
      recipient: EMAIL,
      title: 'Synthetic page',
      text: 'The service pages itself to check that it works.',
    };
    const credential = { keyId: 'synthetic', organizationId, userId, scopes: null };
    await raiser.raise('person', body, credential, null);
  }

  return {
    async next() {
      await db.transaction().execute(async (tx) => {
        if (!(await holdSyntheticLock(tx))) return;
        const { newestSeconds } = await readSyntheticState(tx, clock);
        if (newestSeconds !== null && newestSeconds < EVERY_SECONDS) return;
        const person = await sitter();
        await raise(person);
        await removeSynthetic(tx, clock, person.organizationId);
      });
    },
    async lateness() {
      const { newestSeconds, missingSeconds, lastTookSeconds } = await readSyntheticState(db, clock);
      if (lastTookSeconds !== null) onArrival(lastTookSeconds);
      // When no page can be raised, the next one counts as missing.
      return Math.max(missingSeconds, (newestSeconds ?? 0) - EVERY_SECONDS, 0);
    },
  };
}
