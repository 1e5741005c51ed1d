import { Type } from 'typebox';
import { ApiMoment, CustomMoment } from '../moments/contract.ts';
import { INTEGRATIONS } from '../moments/integrations/registry.ts';
import { COMMON_REFUSALS, ErrorEnvelope, QueuedEnvelope } from '../requests/contract.ts';

const token = Type.String({ description: 'Token of a webhook of the team.' });
const refusals = { ...COMMON_REFUSALS, 404: ErrorEnvelope, 409: ErrorEnvelope, 410: ErrorEnvelope };

/** The schema of `POST /moment/:token` for the API description. */
export const createMomentSchema = {
  tags: ['Moments'],
  operationId: 'createMoment',
  summary: 'Create a moment',
  description:
    'With an Authorization header this is the API form (name up to 255 characters, priority). Without one it is the custom webhook form (name up to 70 characters, source, source_url, occurred_at), for webhooks of type custom. A moment pages nobody, whatever its type.',
  security: [{}, { key: [] }],
  params: Type.Object({ token }),
  body: Type.Union([CustomMoment, ApiMoment]),
  response: { 200: QueuedEnvelope, ...refusals },
};

/** The schema of `POST /moment/:token/:integration` for the API description. */
export const receiveWebhookSchema = {
  tags: ['Moments'],
  operationId: 'receiveWebhook',
  summary: "Receive another tool's webhook",
  description:
    'Stores whatever the tool sends and answers at once. What came of it is in the status of the request and in the list of received calls.',
  security: [],
  params: Type.Object({ token, integration: Type.Enum([...INTEGRATIONS]) }),
  // Client generators fail on several content types whose schema allows any value.
  consumes: ['application/json', '*/*'],
  body: Type.Unknown({ description: 'Whatever the tool sends, under any content type.' }),
  response: { 200: QueuedEnvelope, ...refusals },
};
