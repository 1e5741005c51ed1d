import type { Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import type { Person } from '../people/contract.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { peopleById } from '../people/store.ts';
import type { Swap } from './api-contract.ts';
import type { CoverViewer } from './present.ts';
import {
  instant,
  type ScheduleHead,
  type StoredSwap,
  type SwapSide,
  scheduleHeads,
  shiftAt,
} from './store.ts';
import { swapSentence } from './swap-words.ts';

/** A swap as the viewer sees it. `possible`: throws a fault if the swap cannot be done now. */
export async function presentSwap(
  db: Handle,
  viewer: CoverViewer,
  swap: StoredSwap,
  possible: () => Promise<unknown>,
): Promise<Swap | null> {
  const { given, wanted } = swap;
  const schedules = await scheduleHeads(db, viewer, [given.scheduleId, wanted.scheduleId]);
  const ids = [swap.proposedBy, given.userId, wanted.userId, swap.decidedBy].filter((id) => id !== null);
  const people = await peopleById(db, viewer.organizationId, ids);
  const [first, second] = [schedules.get(given.scheduleId), schedules.get(wanted.scheduleId)];
  if (!first || !second) return null;
  const manages = ({ manager }: ScheduleHead) =>
    mayManageSchedules(viewer.role, { member: manager, manager });
  const waits = swap.state === 'proposed';
  const decides = waits && (wanted.userId === viewer.userId || manages(second));
  // The person who got the proposal can accept or decline; withdrawing is for the other side.
  const proposes = [swap.proposedBy, given.userId].includes(viewer.userId);
  const refusal = decides ? await refusalOf(possible) : null;
  const person = (id: string): Person => people.get(id) ?? { id, name: t('Somebody who left'), email: '' };
  return {
    id: swap.id,
    state: swap.state,
    asked_by: person(swap.proposedBy),
    note: swap.note,
    given: await presentSide(db, given, first, person),
    wanted: await presentSide(db, wanted, second, person),
    decided_by: swap.decidedBy === null ? null : person(swap.decidedBy),
    decided_at: instantTextOrNull(swap.decidedAt),
    created_at: instantText(swap.createdAt),
    sentence: swapSentence(swap, (id) => person(id).name, first.timeZone),
    may: {
      accept: decides && refusal === null,
      accept_not: refusal,
      decline: decides,
      withdraw: waits && (proposes || (manages(first) && wanted.userId !== viewer.userId)),
    },
  };
}

async function presentSide(
  db: Handle,
  side: SwapSide,
  { id, name, timeZone }: ScheduleHead,
  person: (id: string) => Person,
): Promise<Swap['given']> {
  return {
    shift_id: await shiftAt(db, side),
    schedule: { id, name, time_zone: timeZone },
    stage: side.stage,
    seat: side.seat,
    starts_at: instantText(instant(side.from)),
    ends_at: instantText(instant(side.to)),
    person: person(side.userId),
  };
}

async function refusalOf(possible: () => Promise<unknown>): Promise<string | null> {
  try {
    await possible();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}
