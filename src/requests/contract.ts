import { type Static, Type } from 'typebox';
import { PUBLISHED, TIME } from '../kit/published-contract.ts';
import { StatusMoment } from '../moments/contract.ts';
import { PageOfRequest, StatusPage } from '../pages/contract.ts';

export const REQUEST_STATUSES = ['queued', 'processing', 'retrying', 'succeeded', 'failed'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export const REQUEST_KINDS = ['page.team', 'page.person', 'moment', 'webhook', 'source'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
/** For answers, where a row of a newer release may have an unknown kind. */
export const RequestKind = Type.Unsafe<RequestKind>({
  type: 'string',
  [PUBLISHED]: { enum: [...REQUEST_KINDS] },
});

/** The answer to every asynchronous request that was stored. */
export const QueuedEnvelope = Type.Object(
  {
    service_request_id: Type.String({ description: 'The ID of the request, for GET /request/{id}/status.' }),
    response: Type.Object({
      success: Type.Boolean(),
      message: Type.String(),
    }),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Unknown fields, which were ignored.' }),
    ),
  },
  { title: 'QueuedEnvelope' },
);
export type QueuedEnvelope = Static<typeof QueuedEnvelope>;

export const ErrorEnvelope = Type.Object(
  {
    error: Type.String(),
    details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  },
  { title: 'ErrorEnvelope' },
);

/** Errors that any operation of the public API may answer with. */
export const COMMON_REFUSALS = {
  400: ErrorEnvelope,
  401: ErrorEnvelope,
  403: ErrorEnvelope,
  408: ErrorEnvelope,
  413: ErrorEnvelope,
  415: ErrorEnvelope,
  421: ErrorEnvelope,
  429: ErrorEnvelope,
  431: ErrorEnvelope,
  500: ErrorEnvelope,
  503: ErrorEnvelope,
} as const;

const NullableTime = Type.Union([Type.String(TIME), Type.Null()]);

/** The status of a request, with `page` or `moments` depending on its kind. */
export const StatusEnvelope = Type.Object(
  {
    service_request_id: Type.String(),
    response: Type.Object(
      {
        status: Type.Enum([...REQUEST_STATUSES]),
        success: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'Whether the request succeeded; null until it has finished.',
        }),
        message: Type.String(),
        kind: RequestKind,
        attempts: Type.Integer(),
        created_at: Type.String(TIME),
        updated_at: Type.String(TIME),
        finished_at: NullableTime,
        next_attempt_at: NullableTime,
        errors: Type.Array(Type.Object({ at: Type.String(TIME), message: Type.String() }), {
          description: 'The errors, oldest first. If there are more than 100, the first one and the newest.',
        }),
        page: Type.Optional(
          Type.Union([StatusPage, Type.Null()], {
            description:
              'For requests of kind `page.team` and `page.person`, the page; null if it was not kept.',
          }),
        ),
        pages: Type.Optional(
          Type.Array(PageOfRequest, {
            description: 'For requests of kind `source`, what the events of the call did, in their order.',
          }),
        ),
        moments: Type.Optional(
          Type.Array(StatusMoment, {
            description:
              'For requests of kind `moment`, `webhook` and `source`, the moments that were recorded or changed.',
          }),
        ),
      },
      { title: 'RequestStatus' },
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Unknown parameters, which were ignored.' }),
    ),
  },
  { title: 'StatusEnvelope' },
);
export type StatusEnvelope = Static<typeof StatusEnvelope>;
