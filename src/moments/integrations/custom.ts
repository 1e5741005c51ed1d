import { sentences } from '../../kit/detail-contract.ts';
import { parseInstant } from '../../kit/instant.ts';
import { formEvent } from '../event.ts';
import { readCustomMoment } from '../form.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { checkStandardSecret, hasStandardSignature } from './standard-signature.ts';

/** Our own webhook form, for anything that can send JSON. Without a `dedup_key`, each call creates a moment. */
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
  const { occurred_at, source_url: sourceUrl, dedup_key: dedupKey = null, state, ...fields } = reading.moment;
  const occurredAt = occurred_at ? parseInstant(occurred_at) : null;
  const action = ACTIONS[state ?? 'open'];
  return { events: [formEvent({ ...fields, sourceUrl, occurredAt, dedupKey, action }, receivedAt)] };
}

const ACTIONS = { open: 'open', acknowledged: 'acknowledge', resolved: 'resolve' } as const;
