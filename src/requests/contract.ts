import { type Static, Type } from 'typebox';

export const REQUEST_STATUSES = ['queued', 'processing', 'retrying', 'succeeded', 'failed'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export type RequestKind = 'page.team' | 'page.person' | 'moment' | 'webhook';

/** The answer to every asynchronous request that was stored. */
export const QueuedEnvelope = Type.Object(
  {
    service_request_id: Type.String({ description: 'Use it with GET /request/{id}/status.' }),
    response: Type.Object({
      success: Type.Boolean(),
      message: Type.String(),
    }),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Fields that were not understood and ignored.' }),
    ),
  },
  { $id: 'QueuedEnvelope' },
);
export type QueuedEnvelope = Static<typeof QueuedEnvelope>;

export const ErrorEnvelope = Type.Object(
  {
    error: Type.String(),
    details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  },
  { $id: 'ErrorEnvelope' },
);

/** What any operation of the public API may answer instead of what it was asked for. */
export const COMMON_REFUSALS = {
  400: ErrorEnvelope,
  401: ErrorEnvelope,
  403: ErrorEnvelope,
  413: ErrorEnvelope,
  415: ErrorEnvelope,
  429: ErrorEnvelope,
  500: ErrorEnvelope,
  503: ErrorEnvelope,
} as const;

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** The status of a request; `page` or `moments` by its kind. */
export const StatusEnvelope = Type.Object(
  {
    service_request_id: Type.String(),
    response: Type.Object(
      {
        status: Type.Enum([...REQUEST_STATUSES]),
        success: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'Null until the request has finished.',
        }),
        message: Type.String(),
        kind: Type.Enum(['page.team', 'page.person', 'moment', 'webhook']),
        attempts: Type.Integer(),
        created_at: Type.String(),
        updated_at: Type.String(),
        finished_at: NullableText,
        next_attempt_at: NullableText,
        errors: Type.Array(Type.Object({ at: Type.String(), message: Type.String() }), {
          description: 'The oldest first: the very first and, beyond a hundred, the newest of the others.',
        }),
      },
      { additionalProperties: true },
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Parameters that are not known and were ignored.' }),
    ),
  },
  { $id: 'StatusEnvelope' },
);
export type StatusEnvelope = Static<typeof StatusEnvelope>;
