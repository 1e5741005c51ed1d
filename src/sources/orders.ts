import type { Tx } from '../db/database.ts';
import { oneLine } from '../kit/one-line.ts';
import { stored } from '../language/contract.ts';
import type { PageOrder } from '../moments/integrations/page-order.ts';
import {
  type ActionServices,
  acknowledgePage,
  addResponders,
  addTeam,
  commentOnPage,
} from '../pages/actions.ts';
import type { Actor } from '../pages/actor.ts';
import { escalatedText } from '../pages/escalated.ts';
import { escalatePage } from '../pages/escalating.ts';
import type { PageFacts } from '../pages/keyed.ts';
import { lockKeys, newestTriggers, openPages, recordOutcomes } from '../pages/keyed-store.ts';
import { snoozePage } from '../pages/reminders.ts';
import { type PageRow, setWords } from '../pages/store.ts';
import { type Arrived, type ArrivedOutcome, applyEvents, type EventServices } from './apply-events.ts';
import type { SourceEvent } from './contract.ts';
import { changeWaiting, findRecipients, findTeamByName, recipientName } from './store.ts';

/** An order of a call for the page of its key. */
export type ArrivedOrder = Omit<Arrived, 'event' | 'mayWait'> & { order: PageOrder };

const TITLE_LIMIT = 200;
const TEXT_LIMIT = 10_000;
const COMMENT_LIMIT = 2_000;
/** The longest snooze, in minutes: a week. */
const MOST_SNOOZE_MINUTES = 10_080;

/** Why nothing else of a waiting page was changed. */
export const STILL_WAITS = stored(
  'The page still waits, so only its title, its text and its severity can be changed.',
);
const NONE_OPEN = 'No open page has this dedup key, so there was nothing to change.';

/** Carries out orders one after the other, and records their effects. Call `afterCommit` after the commit. */
export async function applyOrders(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  arrived: readonly ArrivedOrder[],
): Promise<{ outcomes: ArrivedOutcome[]; afterCommit(): void }> {
  const later: (() => void)[] = [];
  const inside = { ...services, inside: { tx, afterCommit: (work: () => void) => later.push(work) } };
  await lockKeys(tx, arrived.map(pageKey));
  const outcomes: ArrivedOutcome[] = [];
  for (const one of arrived) {
    const [page] = (await openPages(tx, [pageKey(one)])).values();
    outcomes.push(page ? await carryOut(inside, tx, at, page, one) : await changeWaitingPage(tx, one));
  }
  await recordOutcomes(
    tx,
    arrived.flatMap(({ requestId, organizationId, position }, index) => {
      const outcome = outcomes[index];
      return requestId === null || !outcome ? [] : [{ requestId, organizationId, position, ...outcome }];
    }),
  );
  return {
    outcomes,
    afterCommit() {
      for (const work of later) work();
      if (outcomes.some(({ pageId }) => pageId !== null)) services.wake();
    },
  };
}

/** The words and the severity of a page that waits, with which it is raised when its time comes. */
async function changeWaitingPage(tx: Tx, { sourceId, order }: ArrivedOrder): Promise<ArrivedOutcome> {
  const changes = waitingChanges(order);
  const waits = await changeWaiting(tx, { sourceId, dedupKey: order.dedupKey }, changes ?? {});
  if (waits && changes) return { action: 'waiting', pageId: null, reason: null };
  return { action: 'ignored', pageId: null, reason: waits ? STILL_WAITS : NONE_OPEN };
}

function waitingChanges(order: PageOrder): Partial<SourceEvent> | null {
  switch (order.order) {
    case 'title':
      return titleOf(order.title) === '' ? null : { title: titleOf(order.title) };
    case 'text':
      return textOf(order.text) === '' ? null : { text: textOf(order.text) };
    case 'severity':
      return { severity: order.severity };
    default:
      return null;
  }
}

function titleOf(title: string): string {
  return oneLine(title).slice(0, TITLE_LIMIT).toWellFormed();
}

function textOf(text: string): string {
  return text.slice(0, TEXT_LIMIT).toWellFormed();
}

function pageKey({ organizationId, sourceId, order }: ArrivedOrder) {
  return { organizationId, scope: sourceId, dedupKey: order.dedupKey };
}

type Inside = EventServices & Required<Pick<ActionServices, 'inside'>>;

async function carryOut(
  services: Inside,
  tx: Tx,
  at: Temporal.Instant,
  page: PageRow,
  one: ArrivedOrder,
): Promise<ArrivedOutcome> {
  const { order, sourceId, source } = one;
  const actor: Actor = {
    userId: null,
    via: 'source',
    source: { id: sourceId, name: source.name, as: order.by },
  };
  if (order.comment) await comment(services, page, actor, order.comment);
  const reason = await change(services, tx, at, { page, one, actor });
  return { action: 'updated', pageId: page.id, reason };
}

function comment(services: Inside, page: PageRow, actor: Actor, text: string): Promise<unknown> {
  return commentOnPage(services, page.id, actor, text.slice(0, COMMENT_LIMIT).toWellFormed());
}

/** Returns a sentence about a failed order; null if it was carried out. */
async function change(
  services: Inside,
  tx: Tx,
  at: Temporal.Instant,
  { page, one, actor }: { page: PageRow; one: ArrivedOrder; actor: Actor },
): Promise<string | null> {
  const { order } = one;
  switch (order.order) {
    case 'comment':
      return null;
    case 'title': {
      const title = titleOf(order.title);
      if (title === '' || title === page.title) return null;
      await setWords(tx, page.id, { title });
      await comment(services, page, actor, `Changed the title. Before: ${page.title}`);
      return null;
    }
    case 'text': {
      const text = textOf(order.text);
      if (text !== '' && text !== page.text) await setWords(tx, page.id, { text });
      return null;
    }
    case 'severity': {
      const [trigger] = await newestTriggers(tx, [page.id]);
      const event = triggerOf(page, trigger?.page.facts ?? null, one, order.severity, at);
      const { afterCommit } = await applyEvents(tx, services, at, [
        { ...one, requestId: null, event, mayWait: false },
      ]);
      services.inside.afterCommit(afterCommit);
      return null;
    }
    case 'snooze':
      return snooze(services, at, order.until, { page, one, actor });
    case 'escalate': {
      const result = await escalatePage(services, page.id, actor);
      if (result.outcome !== 'done') return stored('The page is acknowledged, so it was not escalated.');
      return result.people.length > 0 ? null : escalatedText(result);
    }
    case 'add':
      return add(services, tx, order.responder, { page, one, actor });
  }
}

/** Treats the page like its newest trigger with another severity: its urgency may rise, but never falls. */
function triggerOf(
  page: PageRow,
  facts: PageFacts | null,
  { order }: ArrivedOrder,
  severity: string,
  at: Temporal.Instant,
): SourceEvent {
  return {
    ...{ action: 'trigger', dedupKey: order.dedupKey, title: page.title, text: page.text },
    ...{ sourceUrl: page.sourceUrl, urgency: null, severity, by: order.by },
    ...{ labels: facts?.labels ?? [], source: facts?.source ?? null },
    ...{ occurredAt: at, at },
  };
}

/** Only acknowledged pages can be snoozed, so the source acknowledges the page first. */
async function snooze(
  services: Inside,
  at: Temporal.Instant,
  until: Temporal.Instant,
  { page, one, actor }: { page: PageRow; one: ArrivedOrder; actor: Actor },
): Promise<string | null> {
  const minutes = Math.ceil(at.until(until).total('minutes'));
  if (minutes < 1) return stored('The end of the snooze has passed.');
  if (page.state === 'notifying' && one.source.settings.on_acknowledge === 'ignore')
    return stored(
      'The source is not allowed to acknowledge pages, so it cannot snooze one that nobody acknowledged.',
    );
  if (page.state === 'notifying') await acknowledgePage(services, page.id, actor);
  await snoozePage(services, page.id, Math.min(minutes, MOST_SNOOZE_MINUTES), actor);
  return null;
}

async function add(
  services: Inside,
  tx: Tx,
  { kind, name }: { kind: 'team' | 'person'; name: string },
  { page, one, actor }: { page: PageRow; one: ArrivedOrder; actor: Actor },
): Promise<string | null> {
  const named = {
    organizationId: one.organizationId,
    team: kind === 'team' ? name : null,
    person: kind === 'person' ? name : null,
  };
  const found =
    (await findRecipients(tx, [named])).get(recipientName(named)) ??
    (kind === 'team' ? await findTeamByName(tx, one.organizationId, name) : undefined);
  const added =
    found &&
    ('userId' in found
      ? await addResponders(services, page.id, [found.userId], actor)
      : await addTeam(services, page.id, found.teamId, actor));
  if (added?.outcome === 'done') return null;
  const problem = notAdded(kind, name, found !== undefined);
  await comment(services, page, actor, problem);
  return problem;
}

function notAdded(kind: 'team' | 'person', name: string, known: boolean): string {
  if (known)
    return kind === 'team'
      ? `The team ${name} could not be added, because nobody in it is on call or all of them were added before.`
      : `${name} was added before, and is not notified again.`;
  return kind === 'team'
    ? `The team ${name} could not be added, because no team has this slug or name.`
    : `${name} could not be added, because no member of the organization has this email address.`;
}
