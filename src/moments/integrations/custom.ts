import { sentences } from '../../kit/detail-contract.ts';
import { parseInstant } from '../../kit/instant.ts';
import { formEvent } from '../event.ts';
import { readCustomMoment } from '../form.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { checkStandardSecret, hasStandardSignature } from './standard-signature.ts';

/** Our own webhook form, for whatever can send JSON. Nothing in it names an earlier call: each makes a moment. */
export const custom: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readCustom,
  senderCallId: ({ headers }) => headers['webhook-id'] ?? null,
  verify: hasStandardSignature,
  checkSecret: checkStandardSecret,
};

function readCustom({ body, receivedAt }: AdapterInput): AdapterResult {
  const reading = readCustomMoment(body, receivedAt);
  if ('problems' in reading) return { error: sentences(reading.problems) };
  const { name, type, source, source_url, description, occurred_at } = reading.moment;
  const occurredAt = occurred_at ? parseInstant(occurred_at) : null;
  return {
    events: [formEvent({ name, type, description, source, sourceUrl: source_url, occurredAt }, receivedAt)],
  };
}
