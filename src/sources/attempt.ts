import type { Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { findCall } from '../webhooks/call-list-store.ts';
import type { Attempt } from './try.ts';
import type { TryBody } from './try-contract.ts';

/**
 * The input of a dry run: a received call of this source, or a body as a sender would send it. A text is sent as it is,
 * and everything else as JSON. @throws Fault `bad_request` if neither or both are given, or if the call cannot be tried
 */
export async function attemptOf(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  sourceId: string,
  { call, body, headers = {} }: Omit<TryBody, 'settings'>,
): Promise<Attempt> {
  if ((call === undefined) === (body === undefined))
    throw invalid(
      'body',
      t('or call is required, but not both; give the body that a sender would send, or the id of a call'),
    );
  if (call === undefined) return { sourceId, headers: headersOf(headers, body), body: bytesOf(body) };
  const found = await findCall(db, viewer, call);
  if (found?.webhook.id !== sourceId)
    throw invalid(
      'call',
      t('is not a call that this source received, or it was deleted; see /api/notifications'),
    );
  if (!found.whole || (found.requestId === null && found.bytes === 0))
    throw invalid('call', t('was not kept completely, so it cannot be tried; choose another call'));
  return { sourceId, headers: found.headers, body: found.body, again: true };
}

function headersOf(given: Record<string, string>, body: unknown): Record<string, string> {
  const own = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  const type = typeof body === 'string' ? [] : [['content-type', 'application/json'] as const];
  return Object.fromEntries([...type, ...own]);
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function invalid(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}
