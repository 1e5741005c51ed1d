import type { Insertable } from 'kysely';
import type { PageEvents, PageSteps, Pages, Requests, Responders } from '../src/db/schema.ts';
import { instantText } from '../src/kit/instant.ts';
import { idAt } from '../src/kit/typeid.ts';
import { decideTeamStep, personGraceMs, type Recipient, type Step } from '../src/pages/escalation.ts';
import type { Via } from '../src/pages/event-contract.ts';
import type { Urgency } from '../src/people/contract.ts';
import { planNotifications } from '../src/people/rules.ts';
import { answererOf, viaOf } from './page-answers.ts';
import { deliveriesOf, type Sent } from './page-deliveries.ts';
import type { Random } from './random.ts';
import { ladderAt, type Scene } from './rota.ts';

export type Raised = {
  at: Temporal.Instant;
  to: { kind: 'team' | 'person'; id: string };
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  raisedBy: string;
  /** Id of the API key or session that raised it. */
  credential: string;
};

/** What people did about a page; times are relative to when it was raised. */
export type Answer = {
  /** Null: nobody answered. */
  acknowledgedAfterMs: number | null;
  via: Via;
  /** Null: it is still open. */
  resolvedAfterMs: number | null;
  comments: readonly { afterMs: number; text: string }[];
};

export type ResponderRow = { responder: Insertable<Responders>; sent: Sent[] };

/** All rows of one page. */
export type PageHistory = {
  request: Insertable<Requests>;
  page: Insertable<Pages>;
  steps: Insertable<PageSteps>[];
  responders: ResponderRow[];
  events: Insertable<PageEvents>[];
};

type Course = {
  scene: Scene;
  raised: Raised;
  pageId: string;
  answeredAt: Temporal.Instant | null;
  random: Random;
  steps: PageHistory['steps'];
  responders: ResponderRow[];
  events: PageHistory['events'];
  expiredAt: Temporal.Instant | null;
  round: number;
};

/** Simulates a page by the rules of the service, up to its answer or until now. */
export function runPage(scene: Scene, raised: Raised, answer: Answer, random: Random): PageHistory {
  const answeredAt = later(raised.at, answer.acknowledgedAfterMs);
  const course: Course = {
    scene,
    raised,
    answeredAt,
    random,
    pageId: idAt('page', raised.at),
    steps: [],
    responders: [],
    events: [],
    expiredAt: null,
    round: 1,
  };
  note(course, raised.at, 'raised', raised.raisedBy);
  let next: { step: Step; at: Temporal.Instant } | null = {
    step: { kind: raised.to.kind === 'team' ? 'stage' : 'person', stage: null, round: 1 },
    at: raised.at.add({ milliseconds: 20 }),
  };
  while (next) next = takeStep(course, next.step, next.at);
  return written(course, answer);
}

function takeStep(
  course: Course,
  step: Step,
  dueAt: Temporal.Instant,
): { step: Step; at: Temporal.Instant } | null {
  const { answeredAt, scene, raised } = course;
  if (answeredAt && Temporal.Instant.compare(dueAt, answeredAt) >= 0) {
    course.steps.push(stepRow(course, step, dueAt, 'cancelled', answeredAt));
    return null;
  }
  if (Temporal.Instant.compare(dueAt, scene.now) > 0) {
    course.steps.push(stepRow(course, step, dueAt, 'due', null));
    return null;
  }
  course.steps.push(stepRow(course, step, dueAt, 'done', dueAt));
  course.round = step.round;
  if (step.kind === 'expire') {
    expire(course, step, dueAt);
    return null;
  }
  const { notify, gaps, next } = decide(course, step, dueAt);
  for (const stage of gaps) note(course, dueAt, 'gap', null, { stage, round: step.round });
  const people = notify.map(({ userId, kind, stage, why }) => ({ user_id: userId, as: kind, stage, why }));
  note(course, dueAt, 'notified', null, { round: step.round, people });
  for (const recipient of notify) ask(course, step, recipient, dueAt, 'page.notification', raised.urgency);
  return { step: next.step, at: dueAt.add({ milliseconds: Math.round(next.afterMs) }) };
}

function decide({ scene, raised }: Course, step: Step, at: Temporal.Instant) {
  const { to, urgency } = raised;
  if (to.kind === 'team') return decideTeamStep(step, urgency, ladderAt(scene, to.id, at));
  const planned = planNotifications(urgency, [], scene.members.get(to.id)?.methods ?? []);
  const lastMs = Math.max(...planned.map(({ afterMs }) => afterMs));
  const notify: Recipient[] = [
    { userId: to.id, kind: 'person', stage: null, why: { reason: 'paged directly' } },
  ];
  const next = {
    step: { kind: 'expire', stage: null, round: 1 } as const,
    afterMs: lastMs + personGraceMs(urgency),
  };
  return { notify, gaps: [], next };
}

function expire(course: Course, step: Step, at: Temporal.Instant): void {
  const { scene, raised } = course;
  course.expiredAt = at;
  const told = scene.teams.find(({ id }) => id === raised.to.id)?.memberIds ?? [];
  note(course, at, 'expired', null, { round: step.round, told });
  const why = { reason: 'nobody acknowledged the page: every member of the team is notified' };
  for (const userId of told)
    ask(course, step, { userId, kind: 'expired', stage: null, why }, at, 'page.expired', raised.urgency);
}

function ask(
  course: Course,
  step: Step,
  { userId, kind, stage, why }: Recipient,
  at: Temporal.Instant,
  type: 'page.notification' | 'page.expired',
  urgency: Urgency,
): void {
  const { scene, pageId, answeredAt, random } = course;
  const member = scene.members.get(userId);
  if (!member) return;
  const organization_id = scene.organizationId;
  course.responders.push({
    responder: {
      organization_id,
      page_id: pageId,
      user_id: userId,
      round: step.round,
      kind,
      stage,
      why: JSON.stringify(why),
      started_at: at,
    },
    sent: deliveriesOf(scene, member, { pageId, type, urgency, startedAt: at, endedAt: answeredAt }, random),
  });
}

function written(course: Course, answer: Answer): PageHistory {
  const { raised, scene, pageId, answeredAt, expiredAt } = course;
  const by = answererOf(course);
  const via = viaOf(course, by, answer.via);
  const resolvedAt = later(raised.at, answer.resolvedAfterMs);
  for (const { afterMs, text } of answer.comments)
    note(course, raised.at.add({ milliseconds: afterMs }), 'comment', by, { text });
  if (answeredAt) note(course, answeredAt, 'acknowledged', by, { via });
  if (resolvedAt) note(course, resolvedAt, 'resolved', by, { via: 'dashboard' });
  const request = requestOf(course);
  const page: Insertable<Pages> = {
    id: pageId,
    organization_id: scene.organizationId,
    request_id: request.id,
    kind: raised.to.kind,
    [raised.to.kind === 'team' ? 'team_id' : 'user_id']: raised.to.id,
    title: raised.title,
    text: raised.text,
    source_url: raised.sourceUrl,
    urgency: raised.urgency,
    state: resolvedAt ? 'resolved' : answeredAt ? 'acknowledged' : expiredAt ? 'expired' : 'notifying',
    round: course.round,
    reply_code: String(course.random.whole(1_000, 9_999)),
    raised_by: raised.raisedBy,
    created_at: raised.at,
    expired_at: expiredAt,
    acknowledged_at: answeredAt,
    acknowledged_by: answeredAt && by,
    acknowledged_via: answeredAt && via,
    resolved_at: resolvedAt,
    resolved_by: resolvedAt && by,
  };
  const events = course.events.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
  return { request, page, steps: course.steps, responders: course.responders, events };
}

function requestOf({ raised, scene, responders, steps }: Course): Insertable<Requests> & { id: string } {
  const sent = responders.flatMap((one) => one.sent);
  const acceptances = sent.flatMap(({ delivery }) => delivery.accepted_at ?? []);
  const first = acceptances.toSorted(Temporal.Instant.compare)[0] ?? raised.at.add({ seconds: 1 });
  const errors = sent.flatMap(({ delivery, attempts }) =>
    attempts.flatMap(({ ended_at, outcome, error }) =>
      outcome === 'retry' && ended_at
        ? [{ at: instantText(ended_at), message: `${delivery.channel} to ${delivery.address}: ${error}` }]
        : [],
    ),
  );
  return {
    id: idAt('request', raised.at),
    organization_id: scene.organizationId,
    kind: raised.to.kind === 'team' ? 'page.team' : 'page.person',
    status: 'succeeded',
    message: 'The page was handed to a provider.',
    attempts: steps.filter(({ state, kind }) => state === 'done' && kind !== 'expire').length,
    errors: JSON.stringify(errors),
    credential: raised.credential,
    created_at: raised.at,
    updated_at: first,
    finished_at: first,
  };
}

function stepRow(
  { scene, pageId }: Course,
  { kind, stage, round }: Step,
  due_at: Temporal.Instant,
  state: 'due' | 'done' | 'cancelled',
  done_at: Temporal.Instant | null,
): Insertable<PageSteps> {
  return {
    organization_id: scene.organizationId,
    page_id: pageId,
    round,
    kind,
    stage,
    due_at,
    state,
    done_at,
  };
}

function note(
  { events, scene, pageId }: Course,
  at: Temporal.Instant,
  kind: string,
  user_id: string | null,
  data: Record<string, unknown> = {},
): void {
  events.push({
    organization_id: scene.organizationId,
    page_id: pageId,
    at,
    kind,
    user_id,
    data: JSON.stringify(data),
  });
}

function later(at: Temporal.Instant, afterMs: number | null): Temporal.Instant | null {
  return afterMs === null ? null : at.add({ milliseconds: Math.round(afterMs) });
}
