import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { storedText, storedTextOrNull } from '../language/stored.ts';
import { describeSteps, forecastOfTarget } from '../notifications/preview.ts';
import type { PreviewStep } from '../pages/compose-api-contract.ts';
import type { ForecastStep } from '../pages/forecast.ts';
import type { RecipientGroup } from '../pages/notifier.ts';
import { forecastOfPage, type PageForecast } from '../pages/page-forecast.ts';
import { findPage, type PageWithRelation } from '../pages/read-store.ts';
import type { Means } from '../people/reachability.ts';
import { peopleById } from '../people/store.ts';
import { findTeam } from '../people/team-store.ts';
import type { Hold } from './holds.ts';
import type { PagedEvent } from './paging.ts';
import { findRecipients, recipientName, type TriedSource } from './store.ts';
import type { TriedEvent, TriedStep } from './try-contract.ts';

export type Presenting = {
  tx: Tx;
  at: Temporal.Instant;
  means: Means;
  /** The people whom the events notify at once, by the ids of pages. */
  notified: ReadonlyMap<string, readonly RecipientGroup[]>;
};

/** The people whom an event would page, and the time of each of its steps. */
type Reach = Pick<TriedEvent, 'recipient' | 'page' | 'steps'>;

const NOBODY: Reach = { recipient: null, page: null, steps: [] };

/** The effects of events in this transaction, as a dry run shows them. Reads each page once. */
export async function presentTriedEvents(
  presenting: Presenting,
  source: TriedSource,
  events: readonly PagedEvent[],
): Promise<TriedEvent[]> {
  const known = new Map<string, Reach>();
  const raised = new Set(
    events.flatMap(({ action, pageId }) => (action === 'raised' && pageId ? [pageId] : [])),
  );
  const presented: TriedEvent[] = [];
  for (const one of events) {
    const reach =
      one.pageId === null
        ? await reachLater(presenting, source, one)
        : (known.get(one.pageId) ?? (await reachOfPage(presenting, source.organizationId, one.pageId)));
    if (one.pageId !== null) known.set(one.pageId, reach);
    // A page that the call itself would raise has no id that anybody could look up.
    const page = one.pageId !== null && raised.has(one.pageId) ? null : reach.page;
    presented.push({ ...presentEvent(one), ...reach, page });
  }
  return presented;
}

function presentEvent({
  event,
  action,
  reason,
  decision,
  hold,
  window,
}: PagedEvent): Omit<TriedEvent, keyof Reach> {
  const { title, text, urgency, severity, source, by } = event;
  return {
    ...{ action, reason: storedTextOrNull(reason), dedup_key: event.dedupKey },
    event: {
      ...{ action: event.action, title, text, urgency, severity, source, by, labels: [...event.labels] },
      ...{ source_url: event.sourceUrl, occurred_at: instantText(event.occurredAt) },
    },
    rule: decision?.rule ?? null,
    urgency: decision?.urgency ?? null,
    reasons: (decision?.reasons ?? []).map(storedText),
    wait_minutes: decision?.waitMinutes ?? 0,
    hold: hold && presentHold(hold, window !== null),
    window: window && {
      ...{ id: window.id, name: window.name, effect: window.kind, until: instantText(window.until) },
    },
  };
}

function presentHold(hold: Hold, ofWindow: boolean): TriedEvent['hold'] {
  const until = 'dueAt' in hold ? instantText(hold.dueAt) : null;
  if (ofWindow) return { reason: 'window', until };
  return { reason: 'dueAt' in hold && hold.reason === 'rule' ? 'wait' : 'hours', until };
}

/** The page as it is in this transaction, after the whole call. */
async function reachOfPage(
  { tx, at, means, notified }: Presenting,
  organizationId: string,
  pageId: string,
): Promise<Reach> {
  const page = await findPage(tx, { organizationId, userId: '' }, pageId);
  if (!page) return NOBODY;
  const { id, title, state, urgency } = page;
  const forecast = await forecastOfPage({ db: tx, means }, organizationId, page);
  const now = (notified.get(pageId) ?? []).map((group) => stepOfGroup(group, at));
  const steps = { ...forecast, steps: [...now, ...forecast.steps] };
  return {
    page: { id, title, state, urgency },
    recipient: recipientOf(page),
    steps: (await describeSteps({ db: tx, means }, organizationId, steps, urgency, at)).map((step) =>
      presentStep(step, at),
    ),
  };
}

function stepOfGroup({ page, recipients }: RecipientGroup, at: Temporal.Instant): ForecastStep {
  const userIds = recipients.map(({ userId }) => userId);
  return { at, kind: 'notify', as: recipients[0]?.kind ?? 'added', stage: null, round: page.round, userIds };
}

function recipientOf({ team, person }: PageWithRelation): TriedEvent['recipient'] {
  if (team) return { kind: 'team', id: team.id, name: team.name, handle: team.slug };
  return person && { kind: 'person', id: person.id, name: person.name, handle: person.email };
}

/** For a trigger that would page when its hold ends. */
async function reachLater(
  { tx, at, means }: Presenting,
  source: TriedSource,
  { decision, hold }: PagedEvent,
): Promise<Reach> {
  if (!decision || decision.urgency === 'none' || !hold || !('dueAt' in hold)) return NOBODY;
  const { organizationId } = source;
  const named = { organizationId, team: decision.team, person: decision.person };
  const found = (await findRecipients(tx, [named])).get(recipientName(named));
  const target =
    found && 'userId' in found
      ? { kind: 'person' as const, id: found.userId }
      : { kind: 'team' as const, id: found?.teamId ?? source.teamId, stage: decision.stage };
  const forecast: PageForecast = await forecastOfTarget(
    { db: tx, means },
    organizationId,
    target,
    decision.urgency,
    hold.dueAt,
  );
  const steps = await describeSteps({ db: tx, means }, organizationId, forecast, decision.urgency, at);
  return {
    page: null,
    recipient: await recipientNamed(tx, organizationId, target),
    steps: steps.map((step) => presentStep(step, at)),
  };
}

async function recipientNamed(
  tx: Tx,
  organizationId: string,
  { kind, id }: { kind: 'team' | 'person'; id: string },
): Promise<TriedEvent['recipient']> {
  if (kind === 'person') {
    const person = (await peopleById(tx, organizationId, [id])).get(id);
    return person ? { kind, id, name: person.name, handle: person.email } : null;
  }
  const team = await findTeam(tx, organizationId, id);
  return team && { kind, id, name: team.name, handle: team.slug };
}

function presentStep(step: PreviewStep, at: Temporal.Instant): TriedStep {
  return { ...step, at: instantText(at.add({ seconds: step.after_seconds })) };
}
