import { instantText } from '../kit/instant.ts';
import type { Interval } from '../kit/interval.ts';
import type { Person } from '../people/contract.ts';
import { otherOf } from '../schedules/apart.ts';
import type { Compared, Reason, SharedKind, Standing } from '../schedules/planner.ts';
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
  const companions = [...skipped, ...obstacles].flatMap((one) =>
    one.because === 'alone' ? [...(one.with ?? []), ...(one.alone === undefined ? [] : [one.alone])] : [],
  );
  return [
    ...named,
    ...takers,
    ...obstacles.map(({ userId }) => userId),
    ...apart.filter((userId) => userId !== undefined),
    ...companions,
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
    others: others.flatMap((other) => {
      const person = people.get(other.user_id);
      return person ? [presentOther(person, other, nameOf(shift.userId ?? ''), telling)] : [];
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
      return leastText(nameOf(shift.userId), reason);
    case 'nobody': {
      const names = new Map([...people].map(([id, { name }]) => [id, name]));
      const sentence = gapSentence(shift, reason, names, zone);
      return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
    }
  }
}

/** Why a plan gave a shift to its person, and how they compare. */
function leastText(name: string, { others, own = [] }: Reason): string {
  const why =
    others?.length === 0
      ? `${name} has this shift because nobody else can have it.`
      : `With ${name}, shifts are shared most equally, as far as absences, rest and wishes allow.`;
  return [why, ...own.map((one) => `${comparedText(one, { holder: name, taker: '' })}.`)].join(' ');
}

/** Costs below this many points do not count as a difference. */
const EQUAL = 0.05;

function presentOther(
  person: Person,
  { cost, swap, compared = [] }: NonNullable<Reason['others']>[number],
  holder: string,
  { timeZone }: Telling,
): OtherPerson {
  const exchange = swap ? ` in exchange for stage ${swap.stage} from ${momentText(swap.from, timeZone)}` : '';
  const facts = compared.map((one) => comparedText(one, { holder, taker: person.name }, swap !== null));
  const against = facts.length > 0 ? facts.join('; and ') : 'the plan as a whole would be less even';
  return {
    person,
    cost,
    swap: swap && { stage: swap.stage, starts_at: text(swap.from), ends_at: text(swap.to) },
    sentence:
      cost < -EQUAL
        ? `${person.name} could have it${exchange}, which would be better: the planner ran out of time before it found that.`
        : cost < EQUAL
          ? `${person.name} could have it${exchange} just as well.`
          : `${person.name} could have it${exchange}, but ${against}.`,
  };
}

/** A clause about what was compared. `holder`, `taker`: the names of the two people. */
function comparedText(
  compared: Compared,
  names: { holder: string; taker: string },
  isExchange = false,
): string {
  switch (compared.what) {
    case 'soft':
      return `${names[compared.who]} prefers not to be on call ${whenOf(compared.who === 'taker' || !isExchange)}`;
    case 'elsewhere':
      return `${names[compared.who]} has a shift of another schedule ${whenOf(compared.who === 'taker' || !isExchange)}`;
    case 'requested':
      return `${names[compared.who]} asked to be on call ${whenOf(compared.who === 'holder')}`;
    case 'beside':
      return `${names[compared.who]} would have two shifts without a break`;
    case 'moved':
      return 'a published shift would change hands';
    case 'pieces':
      return 'the shift would be divided between more people';
    case 'share':
      return shareText(compared, names);
  }
}

/** The time of the shift, or of the shift given in exchange. */
function whenOf(isShift: boolean): string {
  return isShift ? 'at that time' : 'at the time of the other shift';
}

/** `Ben has 9 weekend shifts in the past year and this plan, and Ada 7`, with fair shares where these differ. */
function shareText(
  { kind, holder, taker }: Extract<Compared, { what: 'share' }>,
  names: { holder: string; taker: string },
): string {
  const [one, other] = taker ? [taker, holder] : [holder, null];
  const name = taker ? names.taker : names.holder;
  const isFairAlike = other !== null && one.fair === other.fair;
  const fair = ({ fair: share }: Standing) => (isFairAlike ? '' : ` (a fair share is ${share})`);
  const shifts = `${one.has} ${KINDS[kind]}${one.has === 1 ? '' : 's'}`;
  const first = `${name} has ${shifts}${fair(one)} in the past year and this plan`;
  return other ? `${first}, and ${names.holder} has ${other.has}${fair(other)}` : first;
}

const KINDS: Record<SharedKind, string> = {
  total: 'shift',
  first: 'lowest-stage shift',
  night: 'night shift',
  weekend: 'weekend shift',
  holiday: 'holiday shift',
};

function text(ms: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(ms));
}
