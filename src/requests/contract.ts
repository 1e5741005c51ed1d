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

export function requestStatusPath(id: string): string {
  return `/request/${id}/status`;
}
