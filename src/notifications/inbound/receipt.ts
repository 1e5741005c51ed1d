import { stored } from '../../language/contract.ts';
/**
 * What providers report about a message, from accepted to read. `undelivered` (nobody answered, phone switched off) and
 * `failed` are final, and the next channel starts.
 */
export const RECEIPT_STATES = ['accepted', 'sent', 'delivered', 'read', 'undelivered', 'failed'] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

export type Receipt = {
  state: ReceiptState;
  /** The provider's name for the message. */
  providerId: string;
  /** Why it was not delivered, as a sentence; null if it was. */
  error: string | null;
  /** When the receipt arrived here, because providers' clocks and order are unreliable. */
  at: Temporal.Instant;
};

const RANK: Record<ReceiptState, number> = {
  accepted: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  undelivered: 2,
  failed: 2,
};

export function isFailure(state: ReceiptState): boolean {
  return state === 'undelivered' || state === 'failed';
}

/** The state after a receipt. It only moves forward. Of two contradictory receipts, the first one wins. */
export function advance(current: ReceiptState | null, next: ReceiptState): ReceiptState {
  if (current === null) return next;
  if (isFailure(current)) return current;
  return RANK[next] > RANK[current] ? next : current;
}

/** Twilio's states of messages and calls, without those that add nothing. */
const TWILIO_STATES = new Map<string, ReceiptState>([
  ['accepted', 'accepted'],
  ['scheduled', 'accepted'],
  ['queued', 'accepted'],
  ['sending', 'accepted'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
  ['initiated', 'accepted'],
  ['ringing', 'sent'],
  ['in-progress', 'delivered'],
  ['answered', 'delivered'],
  ['completed', 'delivered'],
  ['busy', 'undelivered'],
  ['no-answer', 'undelivered'],
]);

const CALL_ENDS = new Map<string, string>([
  ['busy', stored('The line was busy.')],
  ['no-answer', stored('Nobody answered the call.')],
  ['canceled', stored('The call was cancelled before anybody answered.')],
]);

const MESSAGE_ERRORS = new Map<string, string>([
  ['30003', stored('The phone is switched off or out of reach.')],
  ['30004', stored('The carrier or the person blocks our messages.')],
  ['30005', stored('The number does not exist, or the phone is out of reach.')],
  ['30006', stored('The number is a landline or cannot receive messages.')],
  ['30007', stored('The carrier filtered the message as spam.')],
]);

/** Reads the form fields of a status callback; null when its state is not relevant. */
export function twilioReceipt(fields: Record<string, string>): Omit<Receipt, 'at'> | null {
  const state = TWILIO_STATES.get(fields.MessageStatus ?? fields.SmsStatus ?? fields.CallStatus ?? '');
  const providerId = fields.MessageSid ?? fields.SmsSid ?? fields.CallSid;
  if (!state || !providerId) return null;
  return { state, providerId, error: isFailure(state) ? failureSentence(fields) : null };
}

function failureSentence(fields: Record<string, string>): string {
  const call = CALL_ENDS.get(fields.CallStatus ?? '');
  if (call) return call;
  const code = fields.ErrorCode ?? '';
  const known = MESSAGE_ERRORS.get(code);
  if (known) return stored('{problem} (Twilio error {code})', { problem: known, code });
  if (code)
    return stored(
      'Twilio reports error {code}, explained at https://www.twilio.com/docs/api/errors/{code}.',
      { code },
    );
  return stored('Twilio reports that it could not be delivered.');
}
