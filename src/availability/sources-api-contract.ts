import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import type { Person } from '../people/contract.ts';

/** Requests and answers about calendars from which absences are read. Times are ISO 8601 in UTC. */

/**
 * Which events count as absences. `all`: every event; `busy`: events not marked as free; `words`: events with one of
 * the words in their title, and those marked as out of office.
 */
export const EVENT_CHOICES = ['all', 'busy', 'words'] as const;
export type EventChoice = (typeof EVENT_CHOICES)[number];

export const SOURCE_TYPES = ['hard_unavailable', 'soft_unavailable'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

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
  /** An http or https address that is polled; `webcal:` is read as https. */
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
  /** The text of an iCalendar file. */
  ics: Type.Optional(Type.String({ maxLength: 200_000 })),
};

/**
 * POST /api/availability-sources: exactly one of `url` and `ics`. Defaults: type `hard_unavailable`, events `words`,
 * the usual words. `person` (id) is for admins and owners; default: the viewer.
 */
export const NewSourceBody = Type.Object({
  person: Type.Optional(Type.String({ maxLength: 200 })),
  ...settings,
});
export type NewSourceBody = Static<typeof NewSourceBody>;

/** PATCH /api/availability-sources/:id; absent fields stay as they are. */
export const SourceChangeBody = Type.Object(settings);
export type SourceChangeBody = Static<typeof SourceChangeBody>;

/**
 * GET /api/availability-sources?person=ID (`{ sources }`), GET, DELETE (also deletes its records that are not over),
 * POST /api/availability-sources/:id/check (reads it now and answers with the result).
 */
export type SourceShown = {
  id: string;
  person: Person;
  name: string;
  /** The host of the address; the address itself is secret. Null for a file. */
  host: string | null;
  type: SourceType;
  events: EventChoice;
  words: string[];
  /** The number of records that come from it. */
  record_count: number;
  /** The calendar has more events than are read from one calendar. */
  truncated: boolean;
  checked_at: string | null;
  succeeded_at: string | null;
  /** Why it could not be read last time; earlier records stay. */
  error: string | null;
  created_at: string;
};
