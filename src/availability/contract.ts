import { type Static, Type } from 'typebox';
import { EMAIL, TIME } from '../kit/published-contract.ts';

/** Paths and schemas of the public API. The only file of this room that the dashboard may import. */

export const AVAILABILITY_TYPES = ['hard_unavailable', 'soft_unavailable', 'requested'] as const;
export const AvailabilityType = Type.Enum(AVAILABILITY_TYPES, { type: 'string' });
export type AvailabilityType = Static<typeof AvailabilityType>;

/** In Unicode characters. */
export const MAX_NAME_LENGTH = 500;

export const UPLOAD_PATH = '/availabilities/upload';

const timestamp = (description: string) =>
  Type.String({ ...TIME, description, examples: ['2026-12-24T08:00:00.000Z'] });
const range = {
  time_range_start: timestamp('ISO 8601 in UTC with milliseconds.'),
  time_range_end: timestamp('ISO 8601 in UTC with milliseconds.'),
};

/** A row as it would be saved. */
export const PreviewedAvailability = Type.Object(
  {
    name: Type.String(),
    ...range,
    organization_user: Type.Object({ id: Type.String(), username: Type.String(), email: Type.String(EMAIL) }),
  },
  { title: 'PreviewedAvailability' },
);
export type PreviewedAvailability = Static<typeof PreviewedAvailability>;

/** A record as it is saved. */
export const SavedAvailability = Type.Object(
  {
    id: Type.String(),
    organization_user_id: Type.String(),
    availability_type: Type.Enum(AVAILABILITY_TYPES),
    name: Type.String(),
    ...range,
    created_at: timestamp('When the record was created.'),
    updated_at: timestamp('When the record was last changed.'),
    organization_user: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(EMAIL) }),
  },
  { title: 'SavedAvailability' },
);
export type SavedAvailability = Static<typeof SavedAvailability>;

/** A row of a refused upload, as far as it could be read. Nothing was saved, so it has neither id nor user. */
export const RefusedAvailability = Type.Object(
  {
    name: Type.String(),
    email: Type.String(),
    start_time: Type.Union([timestamp('The time as it was understood.'), Type.Null()]),
    end_time: Type.Union([timestamp('The time as it was understood.'), Type.Null()]),
    id: Type.Null(),
    username: Type.Null(),
  },
  { title: 'RefusedAvailability' },
);
export type RefusedAvailability = Static<typeof RefusedAvailability>;

const UploadProblem = Type.Object({
  field: Type.String({ examples: ['row 7, start_time'] }),
  message: Type.String(),
  row: Type.Optional(Type.Integer({ description: 'The number of the row; the header is row 1.' })),
});

const warnings = Type.Optional(
  Type.Array(Type.String(), { description: 'Unknown form fields, which were ignored.' }),
);

/** A published shift that an uploaded absence overlaps, so that its person is away for some of it. */
export const ConflictingShift = Type.Object(
  {
    id: Type.String(),
    schedule: Type.Object({ id: Type.String(), name: Type.String() }),
    stage: Type.Number(),
    start_time: timestamp('When the shift begins.'),
    end_time: timestamp('When the shift ends.'),
    organization_user: Type.Object({ id: Type.String(), username: Type.String(), email: Type.String(EMAIL) }),
    row: Type.Integer({ description: 'The first row that overlaps the shift; the header is row 1.' }),
  },
  { title: 'HitShift' },
);
export type ConflictingShift = Static<typeof ConflictingShift>;

export const UploadAccepted = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    warnings,
    shifts: Type.Optional(
      Type.Array(ConflictingShift, {
        description:
          'The published shifts that the rows overlap, at most the first 1,000 by start; absent if there are none.',
      }),
    ),
    shifts_total: Type.Optional(
      Type.Integer({ description: 'The number of published shifts that the rows overlap.' }),
    ),
    availabilities: Type.Array(Type.Union([SavedAvailability, PreviewedAvailability]), {
      description:
        'The records in the order of the file: as saved with `commit=save`, otherwise as they would be created.',
    }),
  },
  { title: 'UploadAccepted' },
);

export const UploadRefused = Type.Object(
  {
    ok: Type.Literal(false),
    message: Type.String(),
    invalid: Type.Optional(
      Type.Array(Type.String(), { description: 'Email addresses that belong to no user.' }),
    ),
    details: Type.Optional(Type.Array(UploadProblem)),
    availabilities: Type.Optional(Type.Array(RefusedAvailability)),
  },
  { title: 'UploadRefused' },
);
