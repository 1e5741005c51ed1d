import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { PreviewExpiry, PreviewNotify } from '../pages/compose-api-contract.ts';
import { PAGE_ACTIONS, PAGE_STATES } from '../pages/state-contract.ts';
import { Urgency } from '../people/contract.ts';
import { SOURCE_URGENCIES } from './contract.ts';

/** What a call of a page source would do. Times are ISO 8601 in UTC. */

/** The most events of one call that are tried; the others are left out. */
export const MOST_TRIED_EVENTS = 50;

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** The steps of a preview, with their times. */
const TriedStep = Type.Union([
  Type.Object({ ...PreviewNotify.properties, at: Type.String(TIME) }, { title: 'TriedNotice' }),
  Type.Object({ ...PreviewExpiry.properties, at: Type.String(TIME) }, { title: 'TriedExpiry' }),
]);
export type TriedStep = Static<typeof TriedStep>;

const TriedEvent = Type.Object(
  {
    action: Type.Enum(PAGE_ACTIONS, { type: 'string', description: 'What the event would do.' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the event would be ignored, or what it would wait for.',
    }),
    dedup_key: NullableText,
    event: Type.Object(
      {
        action: Type.Enum(['trigger', 'acknowledge', 'unacknowledge', 'resolve'], { type: 'string' }),
        title: Type.String(),
        text: Type.String(),
        source_url: NullableText,
        urgency: Type.Union([Urgency, Type.Null()], { description: 'The urgency that the sender named.' }),
        severity: NullableText,
        labels: Type.Array(Type.String()),
        source: NullableText,
        by: NullableText,
        occurred_at: Type.String(TIME),
      },
      { description: 'The event as it was read.' },
    ),
    rule: Type.Union(
      [
        Type.Object({
          number: Type.Integer({
            description: 'The number of the rule; the first rule of the settings is 1.',
          }),
          text: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'The rule that matched; null if none did, and for everything but triggers.' },
    ),
    urgency: Type.Union([Type.Enum([...SOURCE_URGENCIES], { type: 'string' }), Type.Null()], {
      description: 'The urgency; null for everything but triggers.',
    }),
    reasons: Type.Array(Type.String(), { description: 'Why it has this urgency.' }),
    wait_minutes: Type.Integer({
      description: 'The minutes after which the event pages, if it is still open.',
    }),
    hold: Type.Union(
      [
        Type.Object({
          reason: Type.Enum(['window', 'hours', 'wait'], { type: 'string' }),
          until: Type.Union([Type.String(TIME), Type.Null()], {
            description: 'When the event would page; null if it never would.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'What keeps the event from paging now.' },
    ),
    window: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          effect: Type.Enum(['hold', 'record'], { type: 'string' }),
          until: Type.String(TIME),
        }),
        Type.Null(),
      ],
      { description: 'The maintenance window or silence that keeps the event from paging.' },
    ),
    recipient: Type.Union(
      [
        Type.Object({
          kind: Type.Enum(['team', 'person'], { type: 'string' }),
          id: Type.String(),
          name: Type.String(),
          handle: Type.String({ description: "The team's slug, or the person's email address." }),
        }),
        Type.Null(),
      ],
      { description: 'The people whom the event would page; null if nobody.' },
    ),
    page: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          state: Type.Enum([...PAGE_STATES], { type: 'string' }),
          urgency: Urgency,
        }),
        Type.Null(),
      ],
      {
        description:
          'The open page that the event would change, as it would be afterwards; null if the event would raise a new page or none.',
      },
    ),
    steps: Type.Array(TriedStep, {
      description: 'Who would be notified, now and then, if nobody answered and no shift ended meanwhile.',
    }),
  },
  { title: 'TriedEvent' },
);
export type TriedEvent = Static<typeof TriedEvent>;

export const TriedCall = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Always true: nothing was stored.' }),
    at: Type.String(TIME),
    message: Type.String(),
    events: Type.Array(TriedEvent),
    events_left_out: Type.Integer({
      description: `The number of events beyond the first ${MOST_TRIED_EVENTS}, which were not tried.`,
    }),
    orders: Type.Array(
      Type.Object({
        page: NullableText,
        action: Type.Enum(PAGE_ACTIONS, { type: 'string' }),
        reason: NullableText,
      }),
      {
        description:
          'What else the call would do to open pages, such as add a comment; only with the APIs of other products.',
      },
    ),
    warnings: Type.Array(Type.String(), { description: 'Sentences about what was ignored or not checked.' }),
  },
  { title: 'TriedCall' },
);
export type TriedCall = Static<typeof TriedCall>;

export const TryBody = Type.Object({
  body: Type.Optional(
    Type.Unknown({
      description: 'The body as a sender would send it: JSON, or a text. Required unless `call` is given.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1_000 }), {
      maxProperties: 50,
      description: "The sender's headers, for integrations that read them, such as X-GitHub-Event.",
    }),
  ),
  call: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a received call of this source. Required unless `body` is given.',
    }),
  ),
  settings: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The settings to try instead of those of the source.' },
    ),
  ),
});
export type TryBody = Static<typeof TryBody>;

export const tryApi = {
  tryCall: endpoint('POST /api/sources/:id/try', {
    summary: 'Show what a call of a source would do',
    description: 'Tries the call, stores nothing and notifies nobody.',
    body: TryBody,
    response: TriedCall,
  }),
};
