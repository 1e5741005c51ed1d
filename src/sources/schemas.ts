import { Type } from 'typebox';
import { INTEGRATIONS } from '../moments/integrations/registry.ts';
import { COMMON_REFUSALS, ErrorEnvelope, QueuedEnvelope } from '../requests/contract.ts';
import { CustomPage } from './custom-body.ts';
import { TriedCall } from './try-contract.ts';

const token = Type.String({ description: 'Token of a page source of the team.' });
const querystring = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True: nothing is stored, and the answer says what would happen.' }),
  ),
});
const Answer = Type.Union([QueuedEnvelope, TriedCall]);
const refusals = { ...COMMON_REFUSALS, 404: ErrorEnvelope, 409: ErrorEnvelope, 410: ErrorEnvelope };

/** The schema of `POST /page/:token` for the API description. */
export const pageByTokenSchema = {
  tags: ['Pages'],
  operationId: 'pageBySource',
  summary: 'Page through a source',
  description:
    'For page sources of type custom, as JSON or as a form. At most one page is open for each dedup_key: a trigger raises it or adds to it, resolve ends it.',
  security: [],
  params: Type.Object({ token }),
  querystring,
  body: CustomPage,
  response: { 200: Answer, ...refusals },
};

/** The schema of `POST /page/:token/:type` for the API description. */
export const pageByIntegrationSchema = {
  tags: ['Pages'],
  operationId: 'pageByIntegration',
  summary: "Page through another tool's webhook",
  description:
    'Stores whatever the tool sends and answers at once. The status of the request says which pages were raised, updated, acknowledged or resolved.',
  security: [],
  params: Type.Object({ token, type: Type.Enum([...INTEGRATIONS]) }),
  // Client generators fail on several content types whose schema allows any value.
  consumes: ['application/json', '*/*'],
  body: Type.Unknown({ description: 'Whatever the tool sends, under any content type.' }),
  querystring,
  response: { 200: Answer, ...refusals },
};
