import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import type { AdapterResult } from './adapter.ts';
import { decodeEntities } from './entities.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, isObject, type JsonObject, objectField, objectsField, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { unrecordable } from './unread.ts';

/**
 * A report of a status page in the format of Atlassian Statuspage, which Better Stack, Instatus and others have
 * adopted. Null for any other body.
 */
export function readStatusPage(
  body: JsonObject,
  source: string,
  receivedAt: Temporal.Instant,
): AdapterResult | null {
  const kind = ['incident', 'maintenance'].find((name) => isObject(field(body, name)));
  if (!kind) {
    const component = isObject(field(body, 'component_update')) || isObject(field(body, 'component'));
    return component
      ? { ignored: stored('It is about a component, which the incident also reports.') }
      : null;
  }
  const report = objectField(body, kind);
  // Other products also send incidents, but without a page or a list of updates.
  if (!isObject(field(body, 'page')) && !Array.isArray(field(report, `${kind}_updates`))) return null;
  const id = textField(report, 'id');
  if (!id) return unrecordable(stored('the {kind} has no "id"', { kind }));
  const page = objectField(body, 'page');
  const times = timesOf(report, kind, receivedAt);
  const state = stateOf(report, page, kind, times);
  if (state === 'planned') return { ignored: stored('It is maintenance that has not begun yet.') };
  const pageId = textField(page, 'id') ?? textField(report, 'page_id') ?? '';
  const event = reportEvent(report, page, kind, times);
  return {
    events: [momentEvent({ ...event, dedupKey: `${pageId}/${id}`, action: state, source }, receivedAt)],
  };
}

type Times = {
  began: Temporal.Instant | null;
  starts: Temporal.Instant | null;
  ends: Temporal.Instant | null;
} & {
  at: Temporal.Instant;
  now: Temporal.Instant;
};

function timesOf(report: JsonObject, kind: string, now: Temporal.Instant): Times {
  const time = (...names: string[]) =>
    names.reduce<Temporal.Instant | null>((found, name) => found ?? senderTime(field(report, name)), null);
  const newest = newestUpdate(report, kind);
  const updated =
    newest && latest(senderTime(field(newest, 'created_at')), senderTime(field(newest, 'updated_at')));
  const starts = time('scheduled_for', 'starts_at', 'start_at');
  return {
    began: starts ?? time('started_at', 'created_at'),
    starts,
    ends: time('scheduled_until', 'ends_at', 'end_at'),
    at: latest(time('updated_at'), time('resolved_at'), time('created_at'), updated) ?? now,
    now,
  };
}

/** Updates are documented to be newest first. If they have times, these decide. */
function newestUpdate(report: JsonObject, kind: string): JsonObject | null {
  let newest: { update: JsonObject; at: Temporal.Instant | null } | null = null;
  for (const update of objectsField(report, `${kind}_updates`)) {
    const at = senderTime(field(update, 'created_at'));
    const later = newest?.at && at && Temporal.Instant.compare(at, newest.at) > 0;
    if (!newest || later) newest = { update, at };
  }
  return newest?.update ?? null;
}

const ENDED = ['resolved', 'completed', 'postmortem'];
const PLANNED = ['scheduled', 'notstartedyet'];
const ALL_WELL = ['operational', 'none', 'up'];

/** `in_progress`, `INPROGRESS` and `In progress` are one word. */
function word(text: string | null): string {
  return (text ?? '')
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/** Reports of Better Stack have no status, so the planned times and the state of the whole page are used. */
function stateOf(
  report: JsonObject,
  page: JsonObject,
  kind: string,
  { starts, ends, now }: Times,
): MomentEvent['action'] | 'planned' {
  const status = word(textField(report, 'status') ?? textField(newestUpdate(report, kind) ?? {}, 'status'));
  if (ENDED.includes(status)) return 'resolve';
  if (PLANNED.includes(status)) return 'planned';
  if (status !== '') return 'open';
  if (senderTime(field(report, 'resolved_at'))) return 'resolve';
  if (ends && Temporal.Instant.compare(ends, now) <= 0) return 'resolve';
  if (starts && Temporal.Instant.compare(starts, now) > 0) return 'planned';
  return kind === 'incident' && ALL_WELL.includes(word(textField(page, 'status_indicator')))
    ? 'resolve'
    : 'open';
}

const PRIORITIES = new Map<string, Priority>([
  ['critical', 'high'],
  ['major', 'high'],
  ['majoroutage', 'high'],
  ['partialoutage', 'high'],
  ['downtime', 'high'],
  ['minor', 'medium'],
  ['degraded', 'medium'],
  ['degradedperformance', 'medium'],
  ['maintenance', 'low'],
  ['undermaintenance', 'low'],
  ['none', 'low'],
  ['operational', 'low'],
]);

function reportEvent(report: JsonObject, page: JsonObject, kind: string, { began, at }: Times) {
  const impact =
    textField(report, 'impact') ?? (kind === 'maintenance' ? kind : textField(page, 'status_indicator'));
  const planned = kind === 'maintenance' || senderTime(field(report, 'scheduled_for')) !== null;
  return {
    name: textField(report, 'name') ?? 'Status page incident',
    type: 'incident' as const,
    priority: planned ? 'low' : (PRIORITIES.get(word(impact)) ?? 'medium'),
    severity: impact,
    description: description(report, page, kind),
    sourceUrl: httpUrlOrNull(textField(report, 'shortlink')) ?? httpUrlOrNull(textField(report, 'url')),
    occurredAt: began ?? at,
    at,
  };
}

function description(report: JsonObject, page: JsonObject, kind: string): string | null {
  const components = objectsField(report, 'components').slice(0, 20);
  return paragraphs(
    plainText(withoutTags(textField(newestUpdate(report, kind) ?? {}, 'body'))),
    factLines([
      ['Status', textField(report, 'status')],
      ['Impact', textField(report, 'impact')],
      ...components.map((one): [string, string | null] => ['Component', componentText(one)]),
      [
        'Page',
        [textField(page, 'name'), textField(page, 'status_description')].filter(Boolean).join(': ') || null,
      ],
    ]),
  );
}

function componentText(component: JsonObject): string | null {
  const status = textField(component, 'status')?.replaceAll('_', ' ');
  return [textField(component, 'name'), status && `(${status})`].filter(Boolean).join(' ') || null;
}

/** Some pages write HTML. Removes the tags; breaks and paragraphs become lines. */
function withoutTags(text: string | null): string | null {
  if (text === null) return null;
  const lines = text.slice(0, 20_000).replace(/<(?:br|\/p|\/li)[^<>]{0,100}>/gi, '\n');
  return decodeEntities(lines.replace(/<\/?[a-z][^<>]{0,1000}>/gi, ''));
}
