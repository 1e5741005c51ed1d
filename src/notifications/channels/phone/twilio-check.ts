import { stored } from '../../../language/contract.ts';
import type { Outcome } from '../channel.ts';
import { post } from '../http-call.ts';
import { accepted, refused } from '../outcome.ts';
import type { Twilio } from './settings.ts';
import { basic, CREDENTIALS, rebase, SENDER, twilioOutcome, UNREACHABLE } from './twilio-call.ts';

/**
 * Reads the account, and whether the sender is one of its numbers, without sending anything. A messaging service is not
 * looked up, because it is part of another API.
 */
export async function checkTwilio(
  { twilio }: { twilio: Twilio | null },
  signal: AbortSignal,
): Promise<Outcome> {
  if (!twilio) return refused(UNREACHABLE.fix, UNREACHABLE);
  const account = `https://api.twilio.com/2010-04-01/Accounts/${twilio.accountSid}`;
  const found = await read(twilio, `${account}.json`, signal);
  if (found.kind !== 'answer' || found.status !== 200) return twilioOutcome(found);
  if (field(found.body, 'status') !== 'active')
    return refused(stored('Twilio says that this account is not active.'), CREDENTIALS);
  if (twilio.from.startsWith('MG')) return accepted(null);
  const query = new URLSearchParams({ PhoneNumber: twilio.from, PageSize: '1' });
  const numbers = await read(twilio, `${account}/IncomingPhoneNumbers.json?${query}`, signal);
  if (numbers.kind !== 'answer' || numbers.status !== 200) return twilioOutcome(numbers);
  const owned = field(numbers.body, 'incoming_phone_numbers');
  return Array.isArray(owned) && owned.length > 0
    ? accepted(null)
    : refused(stored('{number} is not a number of this Twilio account.', { number: twilio.from }), SENDER);
}

function read({ accountSid, authToken, apiUrl }: Twilio, uri: string, signal: AbortSignal) {
  const headers = { authorization: basic(accountSid, authToken), accept: 'application/json' };
  return post({ method: 'GET', url: rebase(uri, apiUrl), headers, body: '', signal, answer: 'all' });
}

function field(text: string, name: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}
