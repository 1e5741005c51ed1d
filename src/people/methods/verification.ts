import { randomInt } from 'node:crypto';
import type { Sealing } from '../../kit/sealing.ts';
import { CODE_MINUTES } from '../contact-contract.ts';

export const CODE_LIFETIME = { minutes: CODE_MINUTES };

const PURPOSE = 'contact-method-code';

/** Six digits, which cannot be guessed in five attempts. */
export function newCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

/** The stored tag of a code. Without our key the digits cannot be found. */
export function codeTag(sealing: Sealing, methodId: string, code: string): string {
  return sealing.sign(PURPOSE, `${methodId} ${code}`);
}

/** Removes the blanks that people type between digits. */
export function isRightCode(sealing: Sealing, methodId: string, given: string, tag: string): boolean {
  const digits = given.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) && sealing.verify(PURPOSE, `${methodId} ${digits}`, tag);
}

/** The latest sends of one person, to one address, and of the organization. Times ascend. */
export type RecentSends = {
  byPerson: readonly Temporal.Instant[];
  toAddress: readonly Temporal.Instant[];
  everybody: number;
};

const WINDOW_MS = 60 * 60_000;
const MOST_BY_PERSON = 20;
const MOST_TO_ADDRESS = 5;
const MOST_BY_EVERYBODY = 200;
/** A message needs a moment to arrive. Sending another one sooner would only send two. */
const PAUSE_MS = 20_000;

/** Whole seconds until another code or test may be sent; null if it may be sent now. */
export function waitSeconds(recent: RecentSends, now: Temporal.Instant): number | null {
  const until = [
    opensAt(recent.toAddress, 1, PAUSE_MS),
    opensAt(recent.toAddress, MOST_TO_ADDRESS, WINDOW_MS),
    opensAt(recent.byPerson, MOST_BY_PERSON, WINDOW_MS),
    recent.everybody >= MOST_BY_EVERYBODY ? now.epochMilliseconds + PAUSE_MS * 3 : 0,
  ];
  const waitMs = Math.max(...until) - now.epochMilliseconds;
  return waitMs > 0 ? Math.ceil(waitMs / 1_000) : null;
}

/** When the `most`th latest send is `windowMs` old, in milliseconds; 0 when there were fewer. */
function opensAt(sends: readonly Temporal.Instant[], most: number, windowMs: number): number {
  const oldest = sends.at(-most);
  return oldest === undefined ? 0 : oldest.epochMilliseconds + windowMs;
}
