import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import type { Person } from '../people/contract.ts';

/** What the dashboard reads and sends about calendars from which absences come. Times are ISO 8601 in UTC. */

/**
 * Which events count as absences. `all`: every event; `busy`: those that are not shown as free; `words`: those with one
 * of the words in their title, and those marked as out of office.
 */
export const EVENT_CHOICES = ['all', 'busy', 'words'] as const;
export type EventChoice = (typeof EVENT_CHOICES)[number];

export const SOURCE_TYPES = ['hard_unavailable', 'soft_unavailable'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** What says in a title that somebody is away, when nobody says otherwise, in the languages of many calendars. */
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
  /** http or https (`webcal:` is read as https); polled. */
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
  /** The text of an iCalendar file. */
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
};

/**
 * POST /api/availability-sources: exactly one of `url` and `ics`. Defaults: type `hard_unavailable`, events `words`,
 * the usual words. `person` (id) is for admins and owners; without it, the viewer's own.
 */
export const NewSourceBody = Type.Object({
  person: Type.Optional(Type.String({ maxLength: 200 })),
  ...settings,
});
export type NewSourceBody = Static<typeof NewSourceBody>;

/** PATCH /api/availability-sources/:id: what is left out stays. */
export const SourceChangeBody = Type.Object(settings);
export type SourceChangeBody = Static<typeof SourceChangeBody>;

/**
 * GET /api/availability-sources?person=ID (`{ sources }`), GET, DELETE (its records that are not over go with it),
 * POST /api/availability-sources/:id/check (reads it now and answers what came of it).
 */
export type SourceShown = {
  id: string;
  person: Person;
  name: string;
  /** The address's host, never the address: it is a secret. Null for a file. */
  host: string | null;
  type: SourceType;
  events: EventChoice;
  words: string[];
  /** Records that follow it now. */
  record_count: number;
  /** There were more events than are taken from one calendar. */
  truncated: boolean;
  checked_at: string | null;
  succeeded_at: string | null;
  /** Why it could not be read last; the records it gave before stay. */
  error: string | null;
  created_at: string;
};
