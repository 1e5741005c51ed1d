import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { sha256 } from '../kit/sealing.ts';
import { stored } from '../language/contract.ts';
import { type FirstCall, rememberCalls } from './call-store.ts';
import type { ReadCall } from './record.ts';

const LONGEST = 255;

/**
 * A sender's call id as it is stored: without NUL and surrounding blanks, and hashed if it is long. Null when empty.
 */
export function storedSenderCallId(senderCallId: string): string | null {
  const text = senderCallId.toWellFormed().replaceAll('\u0000', '').trim();
  if (text === '') return null;
  return text.length <= LONGEST ? text : sha256(text).toString('hex');
}

/**
 * Ignores calls that repeat an earlier one. Only calls with events are remembered: if a call failed or was filtered
 * out, its repetition is processed like a first call.
 */
export async function dropRepetitions(
  tx: Tx,
  at: Temporal.Instant,
  read: readonly ReadCall[],
): Promise<ReadCall[]> {
  const numbered = read.filter(({ senderCallId, result }) => senderCallId !== null && 'events' in result);
  if (numbered.length === 0) return [...read];
  const firsts = await rememberCalls(
    tx,
    at,
    numbered.map(({ call: { id, webhookId, receivedAt }, senderCallId }) => ({
      ...{ webhookId, receivedAt, callId: id, senderCallId: senderCallId ?? '' },
    })),
  );
  const firstOf = new Map(firsts.map((first) => [nameOf(first.webhookId, first.senderCallId), first]));
  return read.map((one) => {
    const { call, senderCallId, result } = one;
    const first = senderCallId !== null && firstOf.get(nameOf(call.webhookId, senderCallId));
    if (!first || !('events' in result) || first.callId === call.id) return one;
    return { ...one, result: { ignored: repetitionSentence(first) } };
  });
}

function repetitionSentence({ senderCallId, callId, receivedAt }: FirstCall): string {
  return stored('It repeats the call {senderCallId}, which was received as {callId} at {receivedAt}.', {
    senderCallId,
    callId,
    receivedAt: instantText(receivedAt),
  });
}

function nameOf(webhookId: string, senderCallId: string): string {
  return `${webhookId} ${senderCallId}`;
}
