import { type Static, Type } from 'typebox';
import type { Person } from '../people/contract.ts';
import { AVAILABILITY_TYPES, type AvailabilityType, MAX_NAME_LENGTH } from './contract.ts';

/**
 * Requests and answers about availability records. Times are ISO 8601 in UTC.
 *
 * GET    /api/availabilities          `RecordQuery` → `RecordList`
 * POST   /api/availabilities          `NewRecordBody` → 201 `RecordAnswer`; 409 if an equal record exists
 * PATCH  /api/availabilities/:id      `RecordChangeBody`, absent fields stay as they are → `RecordAnswer`
 * DELETE /api/availabilities/:id      → `RecordAnswer` with the deleted record; post it again to undo
 * POST   /api/availabilities/upload   `UploadBody` → the same answer as POST /availabilities/upload
 */

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
  type: Type.Enum(AVAILABILITY_TYPES, { type: 'string' }),
  name: Type.String({ maxLength: MAX_NAME_LENGTH, format: 'optional-text' }),
  starts_at: Type.String({ format: 'instant' }),
  ends_at: Type.String({ format: 'instant' }),
};
export const NewRecordBody = Type.Object({
  /** A person's id. Default: the viewer. */
  person: Type.Optional(Type.String({ maxLength: 100 })),
  ...fields,
  name: Type.Optional(fields.name),
});
export type NewRecordBody = Static<typeof NewRecordBody>;

export const RecordChangeBody = Type.Object({
  type: Type.Optional(fields.type),
  name: Type.Optional(fields.name),
  starts_at: Type.Optional(fields.starts_at),
  ends_at: Type.Optional(fields.ends_at),
});
export type RecordChangeBody = Static<typeof RecordChangeBody>;

export type RecordShown = {
  id: string;
  person: Person;
  type: AvailabilityType;
  name: string;
  starts_at: string;
  ends_at: string;
  /** The calendar from which it was read and where it is changed; null if it was entered here. */
  source: { id: string; name: string } | null;
  may_change: boolean;
};
export type RecordAnswer = { record: RecordShown };
export type RecordList = {
  /** The people of the query, including those without records. */
  people: Person[];
  /** Sorted by start. */
  records: RecordShown[];
  /** Whether the viewer may add records for all of these people. */
  may_add: boolean;
};

export const UploadBody = Type.Object({
  /** The text of the file. */
  csv: Type.String(),
  /** `save` saves; anything else only previews. */
  commit: Type.Optional(Type.String({ maxLength: 40 })),
});
export type UploadBody = Static<typeof UploadBody>;
