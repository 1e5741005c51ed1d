import { instantText } from '../kit/instant.ts';
import type { Interval } from '../kit/interval.ts';
import type { Person } from '../people/contract.ts';
import { otherOf } from '../schedules/apart.ts';
import type { Reason } from '../schedules/planner.ts';
import { momentText } from '../schedules/span-text.ts';
import { gapSentence, whyNot } from './gap-text.ts';
import type { OtherPerson, ShiftReason } from './plan-api-contract.ts';

export type Telling = { people: ReadonlyMap<string, Person>; timeZone: string; restMs: number };
type Shift = Interval & { stage: number; userId: string | null };

/** The ids of all people that a reason names. */
export function peopleOf(reason: Reason | null): string[] {
  const { skipped = [], others = [], contradiction } = reason ?? {};
  const named = [...skipped, ...others].map(({ user_id }) => user_id);
  const { takers = [], obstacles = [] } = contradiction ?? {};
  const apart = [...skipped, ...obstacles].map(otherOf);
  return [
    ...named,
    ...takers,
    ...obstacles.map(({ userId }) => userId),
    ...apart.filter((userId) => userId !== undefined),
  ];
}

/** Why a person has a shift, in sentences. People who no longer exist are left out. */
export function presentReason(shift: Shift, reason: Reason, telling: Telling): ShiftReason {
  const { people } = telling;
  const nameOf = (userId: string) => people.get(userId)?.name ?? 'somebody who left';
  const others = reason.others ?? [];
  return {
    rule: reason.rule,
    sentence: sentenceOf(shift, reason, telling),
    others: others.flatMap(({ user_id, cost, swap }) => {
      const person = people.get(user_id);
      return person ? [presentOther(person, cost, swap, telling)] : [];
    }),
    refused: reason.skipped.flatMap((one) => {
      const person = people.get(one.user_id);
      return person
        ? [{ person, because: one.because, sentence: `${person.name} ${whyNot(one, nameOf, telling)}.` }]
        : [];
    }),
  };
}

function sentenceOf(shift: Shift, reason: Reason, { people, ...zone }: Telling): string {
  const nameOf = (id: string | null) => people.get(id ?? '')?.name ?? 'Somebody';
  switch (reason.rule) {
    case 'turn':
      return `It was the turn of ${nameOf(shift.userId)}.`;
    case 'owed':
      return `${nameOf(shift.userId)} was owed a turn that was skipped before.`;
    case 'least':
      return `With ${nameOf(shift.userId)} the shares of everybody are most equal, as far as absences, rest and wishes allow.`;
    case 'nobody': {
      const names = new Map([...people].map(([id, { name }]) => [id, name]));
      const sentence = gapSentence(shift, reason, names, zone);
      return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
    }
  }
}

function presentOther(
  person: Person,
  cost: number,
  swap: (Interval & { stage: number }) | null,
  { timeZone }: Telling,
): OtherPerson {
  const exchange = swap ? ` in exchange for stage ${swap.stage} from ${momentText(swap.from, timeZone)}` : '';
  const worse = cost < 0.05 ? 'which would be as good' : `${points(cost)} worse for the plan as a whole`;
  return {
    person,
    cost,
    swap: swap && { stage: swap.stage, starts_at: text(swap.from), ends_at: text(swap.to) },
    sentence: `${person.name} could have it${exchange}: ${worse}.`,
  };
}

function points(cost: number): string {
  const rounded = Math.round(cost * 10) / 10;
  return `${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}

function text(ms: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(ms));
}
