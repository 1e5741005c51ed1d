import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { PreviewNotification, PreviewPerson, PreviewStep } from '../pages/compose-api-contract.ts';
import type { Urgency } from '../pages/contract.ts';
import type { Escalation, Step } from '../pages/escalation.ts';
import { type ForecastStep, forecast } from '../pages/forecast.ts';
import type { PageForecast } from '../pages/page-forecast.ts';
import { readEscalation } from '../pages/team-escalation.ts';
import { findNotifiable, type Notifiable } from '../people/contact-store.ts';
import { type Means, notSetUp, obstacle } from '../people/reachability.ts';
import { planNotifications } from '../people/rules.ts';
import { shortAddress } from '../people/short-address.ts';
import { peopleById } from '../people/store.ts';

export type PreviewServices = { db: Handle; means: Means };

/** `stage`: the first stage; the lowest by default. */
export type PreviewTarget = { kind: 'team' | 'person'; id: string; stage?: number | null };

/**
 * The people whom a page raised at `at` would reach, how and in what order, if nobody answered and no shift ended
 * meanwhile. Uses the same rules as real pages.
 */
export async function previewPage(
  { db, means }: PreviewServices,
  organizationId: string,
  target: PreviewTarget,
  urgency: Urgency,
  at: Temporal.Instant,
): Promise<PreviewStep[]> {
  const found = await forecastOfTarget({ db, means }, organizationId, target, urgency, at);
  return describeSteps({ db, means }, organizationId, found, urgency, at);
}

/** Steps of a page of this urgency with the people and their notifications. Seconds are counted from `now`. */
export async function describeSteps(
  { db, means }: PreviewServices,
  organizationId: string,
  { steps, escalation }: PageForecast,
  urgency: Urgency,
  now: Temporal.Instant,
): Promise<PreviewStep[]> {
  const away = awayIn(escalation);
  const ids = [...new Set(steps.flatMap((step) => (step.kind === 'notify' ? step.userIds : [])))];
  const [persons, people] = await Promise.all([peopleById(db, organizationId, ids), findNotifiable(db, ids)]);
  return steps.map((step): PreviewStep => {
    const after_seconds = Math.round(step.at.since(now).total('seconds'));
    if (step.kind === 'expire') return { kind: 'expire', after_seconds };
    const { as, stage, round, userIds } = step;
    const notified = userIds.flatMap((id): PreviewPerson[] => {
      const person = persons.get(id);
      if (!person) return [];
      const notifications = notificationsTo(people.get(id), urgency, means);
      return [{ person, away_until: away.get(id) ?? null, notifications }];
    });
    return { kind: 'notify', after_seconds, as, stage, round, people: notified };
  });
}

/** The people whom a page to this target would notify if it were raised at `at`. */
export async function forecastOfTarget(
  { db, means }: PreviewServices,
  organizationId: string,
  { kind, id, stage = null }: PreviewTarget,
  urgency: Urgency,
  at: Temporal.Instant,
): Promise<PageForecast> {
  if (kind === 'person') {
    const step: ForecastStep = { at, kind: 'notify', as: 'person', stage: null, round: 1, userIds: [id] };
    return { steps: [step], escalation: null };
  }
  const escalation = await readEscalation(db, means, { organizationId, teamId: id }, at);
  const first: Step = { kind: 'stage', stage, round: 1 };
  return { steps: forecast({ step: first, dueAt: at }, urgency, escalation), escalation };
}

/** Until when people on call are away, by their ids. */
function awayIn(escalation: Escalation | null): Map<string, string> {
  const people = escalation?.stages.flatMap(({ people }) => people) ?? [];
  return new Map(
    people.flatMap(({ userId, why }): [string, string][] =>
      typeof why.away_until === 'string'
        ? [[userId, instantText(Temporal.Instant.from(why.away_until))]]
        : [],
    ),
  );
}

function notificationsTo(
  person: Notifiable | undefined,
  urgency: Urgency,
  means: Means,
): PreviewNotification[] {
  if (!person) return [];
  const methods = new Map(person.methods.map((method) => [method.id, method]));
  return planNotifications(urgency, person.rules, person.methods)
    .filter(({ channel }) => channel !== 'browser' || person.dashboardNodes.length > 0)
    .map(({ channel, methodId, afterMs }) => {
      const method = methods.get(methodId ?? '');
      return {
        channel,
        after_seconds: afterMs / 1_000,
        address: shortAddress(channel, method?.value ?? 'the open dashboard'),
        problem:
          notSetUp(channel, means) ?? (method ? obstacle({ ...method, userId: person.userId }, means) : null),
      };
    })
    .toSorted((a, b) => a.after_seconds - b.after_seconds);
}
