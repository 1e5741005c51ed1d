import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import { HEARTBEAT, type SourceRule } from '../../../src/sources/contract.ts';
import { type TriedCall, tryApi } from '../../../src/sources/try-contract.ts';
import type { CallShown } from '../../../src/webhooks/call-contract.ts';
import { Refusal, send } from '../api/call.ts';
import { receivedQuery } from '../received/queries.ts';

const TYPING_MS = 500;
/** How many of the last calls a preview tries. The service bounds what one viewer tries. */
const TRIED = 5;

/** What rules make of one received call, or why it cannot be tried. */
export type TriedReceived = { call: CallShown; tried: TriedCall | null; problem: string | null };

/** The newest calls of a source whose bodies can be tried. Calls of heartbeats have none. */
export function useTriable({ id, type }: SourceDetail): CallShown[] | null {
  const { data } = useInfiniteQuery({ ...receivedQuery({ webhook: id }), enabled: type !== HEARTBEAT });
  if (type === HEARTBEAT) return [];
  const calls = data?.pages[0]?.notifications;
  return calls?.filter(({ request_id, bytes }) => request_id !== null || bytes > 0) ?? null;
}

/**
 * What unsaved rules would do with the last calls. Waits until typing stops. `error`: what the service finds wrong
 * with these rules.
 */
export function useTriedCalls(source: SourceDetail, rules: SourceRule[] | null) {
  const calls = (useTriable(source) ?? []).slice(0, TRIED);
  const text = JSON.stringify({ ...source.settings, rules: rules ?? [] });
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ['tried-calls', source.id, calls.map(({ id }) => id), settled],
    queryFn: ({ signal }) => triedOneByOne(source.id, calls, { settings: JSON.parse(settled), signal }),
    enabled: rules !== null && calls.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { calls, tried: data ?? null, error: settled === text ? error : null };
}

/** One after the other, so a preview uses only one of the few dry runs that the service does at once. */
async function triedOneByOne(
  sourceId: string,
  calls: readonly CallShown[],
  { settings, signal }: { settings: Record<string, unknown>; signal: AbortSignal },
): Promise<TriedReceived[]> {
  const found: TriedReceived[] = [];
  for (const call of calls) {
    signal.throwIfAborted();
    found.push(await triedAgain(sourceId, call, settings));
  }
  return found;
}

async function triedAgain(
  id: string,
  call: CallShown,
  settings: Record<string, unknown>,
): Promise<TriedReceived> {
  try {
    const tried = await send(tryApi.tryCall, { params: { id }, body: { call: call.id, settings } });
    return { call, tried, problem: null };
  } catch (error) {
    if (isOfCall(error)) return { call, tried: null, problem: error.message };
    throw error;
  }
}

/** A call that cannot be read says nothing about the rules. */
function isOfCall(error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || error.status !== 400) return false;
  return !error.details.some(({ field }) => field.startsWith('settings'));
}
