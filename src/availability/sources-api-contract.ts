import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/** Requests and answers about calendars from which absences are read. Times are ISO 8601 in UTC. */

/**
 * Which events count as absences. `all`: every event; `busy`: events not marked as free; `words`: events with one of
 * the words in their title, and those marked as out of office.
 */
const EVENT_CHOICES = ['all', 'busy', 'words'] as const;
export const EventChoice = Type.Enum(EVENT_CHOICES, { type: 'string' });
export type EventChoice = Static<typeof EventChoice>;

const SOURCE_TYPES = ['hard_unavailable', 'soft_unavailable'] as const;
export const SourceType = Type.Enum(SOURCE_TYPES, { type: 'string' });
export type SourceType = Static<typeof SourceType>;

/** The default words in titles that mean an absence, in many languages. */
export const USUAL_WORDS = [
  ...['ooo', 'out of office', 'out of the office', 'vacation', 'holiday', 'holidays', 'leave', 'pto', 'away'],
  ...['absent', 'absence', 'sick', 'off'],
  ...[
    'urlaub',
    'sommerurlaub',
    'weihnachtsurlaub',
    'resturlaub',
    'ferien',
    'abwesend',
    'abwesenheit',
    'krank',
  ],
  ...['krankgemeldet', 'elternzeit'],
  ...['vacances', 'congé', 'congés', 'absente', 'malade', 'arrêt maladie', 'rtt'],
  ...['vacaciones', 'ausente', 'ausencia', 'baja médica', 'día libre'],
  ...['ferie', 'assente', 'malattia'],
  ...['férias', 'folga', 'baixa médica'],
  ...['vakantie', 'verlof', 'afwezig', 'ziek'],
  ...['urlop', 'nieobecny', 'nieobecna', 'nieobecność', 'zwolnienie lekarskie'],
  ...[
    'semester',
    'sjuk',
    'frånvarande',
    'ledig',
    'föräldraledig',
    'syg',
    'syk',
    'fravær',
    'loma',
    'dovolená',
  ],
];

const settings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE })),
  type: Type.Optional(Type.Enum(SOURCE_TYPES, { type: 'string' })),
  events: Type.Optional(Type.Enum(EVENT_CHOICES, { type: 'string' })),
  words: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, format: 'text' }), { maxItems: 100 }),
  ),
  private: Type.Optional(
    Type.Boolean({
      description: 'Whether other people see “Away” instead of the titles of its events. False by default.',
    }),
  ),
  /** An http or https address that is polled; `webcal:` is read as https. */
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
  /** The text of an iCalendar file. */
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
};

/**
 * Exactly one of `url` and `ics`. Defaults: type `hard_unavailable`, events `words`,
 * the usual words. `person` (id) is for admins and owners; default: the viewer.
 */
export const NewSourceBody = Type.Object({
  person: Type.Optional(Type.String({ maxLength: 200 })),
  ...settings,
});
export type NewSourceBody = Static<typeof NewSourceBody>;

/** Absent fields do not change. */
export const SourceChangeBody = Type.Object(settings);
export type SourceChangeBody = Static<typeof SourceChangeBody>;

export const SourceShown = Type.Object({
  id: Type.String(),
  person: Person,
  name: Type.String(),
  host: Type.Union([Type.String(), Type.Null()], {
    description: 'The host of the address; the address itself is secret. Null for a file.',
  }),
  type: SourceType,
  events: EventChoice,
  words: Type.Array(Type.String()),
  private: Type.Boolean({
    description: 'Whether other people see “Away” instead of the titles of its events.',
  }),
  record_count: Type.Integer({ description: 'The number of records that were read from it.' }),
  truncated: Type.Boolean({
    description: 'Whether the calendar has more events than are read from one calendar.',
  }),
  checked_at: Type.Union([Type.String(TIME), Type.Null()]),
  succeeded_at: Type.Union([Type.String(TIME), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why it could not be read last time, in which case earlier records stay; null if it was read.',
  }),
  created_at: Type.String(TIME),
});
export type SourceShown = Static<typeof SourceShown>;

export const sourcesApi = {
  list: endpoint('GET /api/availability-sources', {
    summary: 'List calendars from which absences are read',
    description: 'Lists your own calendars, or those of a `person`.',
    query: Type.Object({ person: Type.Optional(Type.String({ maxLength: 100 })) }),
    response: Type.Object({ sources: Type.Array(SourceShown) }),
  }),
  find: endpoint('GET /api/availability-sources/:id', {
    summary: 'Find a calendar from which absences are read',
    response: SourceShown,
  }),
  create: endpoint('POST /api/availability-sources', {
    summary: 'Follow a calendar',
    body: NewSourceBody,
    response: SourceShown,
    status: [201],
  }),
  change: endpoint('PATCH /api/availability-sources/:id', {
    summary: 'Change how a calendar is followed',
    body: SourceChangeBody,
    response: SourceShown,
  }),
  check: endpoint('POST /api/availability-sources/:id/check', {
    summary: 'Read a calendar now',
    response: SourceShown,
  }),
  remove: endpoint('DELETE /api/availability-sources/:id', {
    summary: 'Stop following a calendar',
    description: 'Stops following the calendar and removes its records that have not ended.',
    response: Type.Object({ removed: Type.Boolean() }),
  }),
};
