import { instantText, instantTextOrNull } from '../../kit/instant.ts';
import { t } from '../../language/contract.ts';
import type { Person } from '../../people/contract.ts';
import type { Calendar } from '../../schedules/burdens.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { figuresText } from '../figures-text.ts';
import { gapSentence } from '../gap-text.ts';
import type { Draft, DraftProgress, PlanGap, PlanHead, Preview } from '../plan-api-contract.ts';
import { presentReason } from '../reason-text.ts';
import { TIME_LIMIT_SECONDS } from '../solver/time-limit.ts';
import type { StoredPlan } from '../store.ts';
import { balances, balanceText, handedOver } from './preview.ts';

export type Presenting = {
  people: ReadonlyMap<string, Person>;
  timeZone: string;
  restMs: number;
  backstop: Person | null;
};

export function presentPlan(plan: StoredPlan): PlanHead {
  return {
    id: plan.id,
    state: plan.state,
    created_at: instantText(plan.createdAt),
    created_by: plan.createdBy,
    published_at: instantTextOrNull(plan.publishedAt),
    published_by: plan.publishedBy,
    starts_at: instantText(plan.startsAt),
    ends_at: instantText(plan.endsAt),
    figures: plan.figures && { ...plan.figures, sentence: figuresText(plan.figures) },
  };
}

export function presentDraft(draft: StoredPlan, outdated: string | null, preview: Preview | null): Draft {
  const { freedom, error } = draft;
  // The stored text is English; there is one alone, so that it is worded for each reader.
  const failure = error === null ? null : failureText();
  return { ...presentPlan(draft), freedom, progress: progressOf(draft), error: failure, outdated, preview };
}

/** Why a draft failed. */
export function failureText(): string {
  return t(
    'An internal error stopped the planning. Make a new draft; the log of the service has the details.',
  );
}

function progressOf({ state, progress }: StoredPlan): DraftProgress | null {
  if (state !== 'waiting' && state !== 'solving') return null;
  const { seconds = 0, objective = null, gap = null } = progress ?? {};
  return { seconds, limit_seconds: TIME_LIMIT_SECONDS, objective, gap };
}

/** What a draft changes. `before`: the published shifts of the same time; `userIds`: all members of the schedule. */
export function previewOf(
  before: readonly PlannedShift[],
  after: readonly PlannedShift[],
  userIds: readonly string[],
  calendar: Calendar,
  presenting: Presenting,
): Preview {
  const { people } = presenting;
  const personOf = (id: string | null) => people.get(id ?? '') ?? null;
  const changes = handedOver(before, after);
  const concerned = new Set(changes.flatMap((change) => [change.before, change.after]));
  concerned.delete(null);
  return {
    summary: summaryOf(changes.length, concerned.size),
    changes: changes.map((change) => ({
      ...{ stage: change.stage, seat: change.seat, starts_at: text(change.from), ends_at: text(change.to) },
      ...{ before: personOf(change.before), after: personOf(change.after) },
    })),
    people: balances(userIds, before, after, calendar).flatMap(({ userId, ...balance }) => {
      const person = people.get(userId);
      return person ? [{ person, ...balance, sentence: balanceText(balance) }] : [];
    }),
    gaps: presentGaps(
      after.filter(({ userId }) => userId === null),
      presenting,
    ),
    shifts: after.map((shift) => ({
      ...{ stage: shift.stage, seat: shift.seat, starts_at: text(shift.from), ends_at: text(shift.to) },
      person: personOf(shift.userId),
      reason: shift.reason && presentReason(shift, shift.reason, presenting),
    })),
  };
}

/** Presents gaps with a sentence for each. */
export function presentGaps(gaps: readonly PlannedShift[], presenting: Presenting): PlanGap[] {
  const { people, backstop, timeZone, restMs } = presenting;
  const names = new Map([...people].map(([id, { name }]) => [id, name]));
  return gaps.map((gap) => ({
    ...{ stage: gap.stage, starts_at: text(gap.from), ends_at: text(gap.to), backstop },
    sentence: gapSentence(gap, gap.reason, names, { timeZone, restMs }),
  }));
}

function summaryOf(changes: number, people: number): string {
  if (changes === 0) return t('Nothing changes: the published plan is as good as this one.');
  return t(
    '{changes, plural, one {# shift changes} other {# shifts change}} hands, which concerns {people, plural, one {# person} other {# people}}.',
    { changes, people },
  );
}

function text(ms: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(ms));
}
