import { asSentence } from '../covers/ineligibility-text.ts';
import { instantText } from '../kit/instant.ts';
import type { Interval } from '../kit/interval.ts';
import { locale, t, tIn } from '../language/contract.ts';
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
  const nameOf = (userId: string) => people.get(userId)?.name ?? t('somebody who left');
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
      if (!person) return [];
      const { because } = one;
      return [{ person, because, sentence: asSentence(whyNot(one, nameOf, telling)) }];
    }),
  };
}

function sentenceOf(shift: Shift, reason: Reason, { people, ...zone }: Telling): string {
  const name = people.get(shift.userId ?? '')?.name ?? t('Somebody');
  switch (reason.rule) {
    case 'turn':
      return t('It was the turn of {name}.', { name });
    case 'owed':
      return t('{name} was owed a turn that was skipped before.', { name });
    case 'least':
      return leastText(name, reason);
    case 'nobody': {
      const names = new Map([...people].map(([id, { name }]) => [id, name]));
      const sentence = gapSentence(shift, reason, names, zone);
      return asSentence(`${sentence[0]?.toUpperCase()}${sentence.slice(1)}`);
    }
  }
}

/** Why a plan gave a shift to its person, and how they compare. */
function leastText(name: string, { others, own = [] }: Reason): string {
  const why =
    others?.length === 0
      ? t('{name} has this shift because nobody else can have it.', { name })
      : t('With {name}, shifts are shared most equally, as far as absences, rest and preferences allow.', {
          name,
        });
  const facts = own.map((one) => asSentence(comparedText(one, { holder: name, taker: '' })));
  return facts.reduce(
    (before, next) => tIn('sentences after each other', '{before} {next}', { before, next }),
    why,
  );
}

/** Costs below this many points do not count as a difference. */
const EQUAL = 0.05;

function presentOther(
  person: Person,
  { cost, swap, compared = [] }: NonNullable<Reason['others']>[number],
  holder: string,
  { timeZone }: Telling,
): OtherPerson {
  const facts = compared.map((one) => comparedText(one, { holder, taker: person.name }, swap !== null));
  const values = {
    name: person.name,
    shift:
      swap && t('stage {stage} from {time}', { stage: swap.stage, time: momentText(swap.from, timeZone) }),
    why:
      facts.length === 0
        ? t('the plan as a whole would be less even')
        : facts.reduce((before, next) => t('{before}; and {next}', { before, next })),
  };
  return {
    person,
    cost,
    swap: swap && { stage: swap.stage, starts_at: text(swap.from), ends_at: text(swap.to) },
    sentence: couldText(cost, values),
  };
}

/** Whether the plan would be better, as good or worse with another person. `shift`: what they would give for it. */
function couldText(
  cost: number,
  { shift, ...values }: { name: string; shift: string | null; why: string },
): string {
  if (shift === null) {
    if (cost < -EQUAL)
      return t(
        '{name} could have it, which would be better: the planner ran out of time before it found that.',
        values,
      );
    return cost < EQUAL
      ? t('{name} could have it just as well.', values)
      : t('{name} could have it, but {why}.', values);
  }
  const exchange = { ...values, shift };
  if (cost < -EQUAL)
    return t(
      '{name} could have it in exchange for {shift}, which would be better: the planner ran out of time before it found that.',
      exchange,
    );
  return cost < EQUAL
    ? t('{name} could have it in exchange for {shift} just as well.', exchange)
    : t('{name} could have it in exchange for {shift}, but {why}.', exchange);
}

/** A clause about what was compared. `holder`, `taker`: the names of the two people. */
function comparedText(
  compared: Compared,
  names: { holder: string; taker: string },
  isExchange = false,
): string {
  switch (compared.what) {
    case 'soft': {
      const name = names[compared.who];
      return compared.who === 'taker' || !isExchange
        ? t('{name} prefers not to be on call at that time', { name })
        : t('{name} prefers not to be on call at the time of the other shift', { name });
    }
    case 'elsewhere': {
      const name = names[compared.who];
      return compared.who === 'taker' || !isExchange
        ? t('{name} has a shift of another schedule at that time', { name })
        : t('{name} has a shift of another schedule at the time of the other shift', { name });
    }
    case 'requested': {
      const name = names[compared.who];
      return compared.who === 'holder'
        ? t('{name} asked to be on call at that time', { name })
        : t('{name} asked to be on call at the time of the other shift', { name });
    }
    case 'beside':
      return t('{name} would have two shifts without a break', { name: names[compared.who] });
    case 'moved':
      return t('a published shift would change hands');
    case 'pieces':
      return t('the shift would be divided between more people');
    case 'share':
      return shareText(compared, names);
  }
}

/** `Ben has 9 weekend shifts in the past year and this plan, and Ada has 7`, with fair shares where these differ. */
function shareText(
  { kind, holder, taker }: Extract<Compared, { what: 'share' }>,
  names: { holder: string; taker: string },
): string {
  const [one, other] = taker ? [taker, holder] : [holder, null];
  const name = taker ? names.taker : names.holder;
  const isFairAlike = other !== null && one.fair === other.fair;
  const withFair = (has: string, { fair }: Standing) =>
    isFairAlike ? has : t('{has} (a fair share is {fair, number})', { has, fair });
  const shifts = withFair(countText(kind, one.has), one);
  if (!other) return t('{name} has {shifts} in the past year and this plan', { name, shifts });
  const theirs = withFair(other.has.toLocaleString(locale()), other);
  return t('{name} has {shifts} in the past year and this plan, and {other} has {theirs}', {
    ...{ name, shifts, theirs, other: names.holder },
  });
}

function countText(kind: SharedKind, count: number): string {
  switch (kind) {
    case 'total':
      return t('{count, plural, one {# shift} other {# shifts}}', { count });
    case 'first':
      return t('{count, plural, one {# lowest-stage shift} other {# lowest-stage shifts}}', { count });
    case 'night':
      return t('{count, plural, one {# night shift} other {# night shifts}}', { count });
    case 'weekend':
      return t('{count, plural, one {# weekend shift} other {# weekend shifts}}', { count });
    case 'holiday':
      return t('{count, plural, one {# holiday shift} other {# holiday shifts}}', { count });
  }
}

function text(ms: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(ms));
}
