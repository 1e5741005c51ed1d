import { Type } from 'typebox';
import { COMMON_REFUSALS, ErrorEnvelope } from '../requests/contract.ts';
import { UploadAccepted, UploadRefused } from './contract.ts';
import { FORM_TYPES } from './form.ts';

/** Documents uploads in the API reference. It validates nothing: `readForm` reads the form. */
export const uploadSchema = {
  tags: ['Availability'],
  operationId: 'uploadAvailabilities',
  summary: 'Upload unavailability as CSV',
  description:
    'Previews the records that a CSV file would create, or with `commit=save` creates them: all of them or none. ' +
    'The file has a header row with the columns `email`, `start_time` and optionally `end_time` (default: one day ' +
    'after the start) and `name`. Saving the same rows again creates nothing. This endpoint has a host of its own.',
  consumes: [...FORM_TYPES],
  querystring: Type.Object({
    commit: Type.Optional(
      Type.String({ description: '`save` saves the records; may be a form field instead.' }),
    ),
  }),
  body: Type.Object({
    file: Type.Unsafe<Buffer>({
      type: 'string',
      format: 'binary',
      description: 'CSV in UTF-8, at most 10 MiB.',
    }),
    commit: Type.Optional(Type.String({ description: '`save` saves the records.' })),
  }),
  response: { 200: UploadAccepted, ...COMMON_REFUSALS, 400: UploadRefused, 409: ErrorEnvelope },
};
