import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { AvailabilityType, MAX_NAME_LENGTH, UploadAccepted } from './contract.ts';

/** Requests and answers about availability records. Times are ISO 8601 in UTC. */

export const RecordQuery = Type.Object({
  from: Type.String({ format: 'instant' }),
  /** At most 366 days after `from`. */
  to: Type.String({ format: 'instant' }),
  /** A person's id. Default, without `team`: the viewer. */
  person: Type.Optional(Type.String({ maxLength: 100 })),
  /** A team's id or slug: all members of the team and of its schedules. */
  team: Type.Optional(Type.String({ maxLength: 200 })),
});
export type RecordQuery = Static<typeof RecordQuery>;

const fields = {
  type: AvailabilityType,
  name: Type.String({ maxLength: MAX_NAME_LENGTH, format: 'optional-text' }),
  starts_at: Type.String({ format: 'instant' }),
  ends_at: Type.String({ format: 'instant' }),
};
const isPrivate = Type.Boolean({
  description:
    'Whether only its person sees its name; others see “Away”. Only its person can set this to false.',
});
const repeating = {
  rrule: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      format: 'text',
      description:
        'The rule by which it repeats, with FREQ=DAILY, WEEKLY or MONTHLY, for example FREQ=WEEKLY;INTERVAL=2;BYDAY=TU. `starts_at` and `ends_at` are those of the first occurrence.',
    }),
  ),
  zone: Type.Optional(Type.String({ format: 'time-zone', description: 'The time zone of `rrule`.' })),
};
export const NewRecordBody = Type.Object({
  /** A person's id. Default: the viewer. */
  person: Type.Optional(Type.String({ maxLength: 100 })),
  ...fields,
  name: Type.Optional(fields.name),
  private: Type.Optional(isPrivate),
  ...repeating,
  repeats_until: Type.Optional(
    Type.String({
      format: 'instant',
      description: 'The time before which the last occurrence begins. By default, it repeats without an end.',
    }),
  ),
});
export type NewRecordBody = Static<typeof NewRecordBody>;

export const RecordChangeBody = Type.Object({
  type: Type.Optional(fields.type),
  name: Type.Optional(fields.name),
  starts_at: Type.Optional(fields.starts_at),
  ends_at: Type.Optional(fields.ends_at),
  private: Type.Optional(isPrivate),
  ...repeating,
  repeats_until: Type.Optional(
    Type.Union([Type.String({ format: 'instant' }), Type.Null()], {
      description: 'The time before which the last occurrence begins, or null to repeat without an end.',
    }),
  ),
});
export type RecordChangeBody = Static<typeof RecordChangeBody>;

/** How an absence or preference repeats. */
export const Repeats = Type.Object({
  id: Type.String({ description: 'The ID that all occurrences share.' }),
  rrule: Type.String({ description: 'The rule of RFC 5545, without an end.' }),
  zone: Type.String({ description: 'The time zone in which it repeats.' }),
  starts_at: Type.String({ ...TIME, description: 'When the first occurrence begins.' }),
  ends_at: Type.String({ ...TIME, description: 'When the first occurrence ends.' }),
  until: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'The time before which the last occurrence begins; null if it repeats without an end.',
  }),
});
export type Repeats = Static<typeof Repeats>;

export const RecordShown = Type.Object({
  id: Type.String(),
  person: Person,
  type: AvailabilityType,
  name: Type.String({
    description:
      'The name of the record. Another person’s private absence is called “Away”, and their private preference has no name.',
  }),
  private: Type.Boolean({ description: 'Whether only its person sees its name.' }),
  name_hidden: Type.Boolean({ description: 'Whether its name is hidden from the viewer.' }),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  source: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String(),
      }),
      Type.Null(),
    ],
    {
      description:
        'The calendar from which it was read and where it is changed; null if it was entered here.',
    },
  ),
  repeats: Type.Union([Repeats, Type.Null()], {
    description: 'How the record repeats, if it is an occurrence of a repeating one; otherwise null.',
  }),
  may_change: Type.Boolean(),
});
export type RecordShown = Static<typeof RecordShown>;
export const RecordAnswer = Type.Object({
  record: RecordShown,
});
export type RecordAnswer = Static<typeof RecordAnswer>;
export const RecordList = Type.Object({
  people: Type.Array(Person, { description: 'The people of the query, including those without records.' }),
  records: Type.Array(RecordShown, { description: 'The records, sorted by start.' }),
  may_add: Type.Boolean({ description: 'Whether the viewer may add records for all of these people.' }),
});
export type RecordList = Static<typeof RecordList>;

export const UploadBody = Type.Object({
  /** The text of the file. */
  csv: Type.String(),
  time_zone: Type.Optional(
    Type.String({
      format: 'time-zone',
      description:
        'If given, the file may be as spreadsheets write it, too: with semicolons or tabs, and times of this zone such as `24.12.2026 09:00`.',
    }),
  ),
  /** `save` saves; anything else only previews. */
  commit: Type.Optional(Type.String({ maxLength: 40 })),
});
export type UploadBody = Static<typeof UploadBody>;

export const recordsApi = {
  list: endpoint('GET /api/availabilities', {
    summary: 'List availability records',
    description: 'Lists your own records, those of a person, or those of a team.',
    query: RecordQuery,
    response: RecordList,
  }),
  create: endpoint('POST /api/availabilities', {
    summary: 'Add an availability record',
    description:
      'Answers 409 if an equal record exists. With `rrule`, the record repeats, and the answer has the next occurrence.',
    body: NewRecordBody,
    response: RecordAnswer,
    status: [201],
  }),
  change: endpoint('PATCH /api/availabilities/:id', {
    summary: 'Change an availability record',
    description:
      'Changes only the fields that are given. If the record repeats, this changes all occurrences that have not ended; `starts_at` and `ends_at` are those of the first one.',
    body: RecordChangeBody,
    response: RecordAnswer,
  }),
  remove: endpoint('DELETE /api/availabilities/:id', {
    summary: 'Remove an availability record',
    description:
      'Returns the removed record; to undo this, send that as a POST. If the record repeats, this removes one occurrence, or with `series=true` all that have not ended.',
    query: Type.Object({ series: Type.Optional(Type.Boolean()) }),
    response: RecordAnswer,
  }),
  upload: endpoint('POST /api/availabilities/upload', {
    summary: 'Preview or save a file of availability records',
    description: 'Returns the same as POST /availabilities/upload of the public API.',
    body: UploadBody,
    response: UploadAccepted,
  }),
};
