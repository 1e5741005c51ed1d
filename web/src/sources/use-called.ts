import { useInfiniteQuery } from '@tanstack/react-query';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import { HEARTBEAT } from '../../../src/sources/contract.ts';
import { receivedQuery } from '../received/queries.ts';

/** A source as of its newest call: the service notes the time of the last one some seconds later than the call itself. */
export function useCalled(source: SourceDetail): SourceDetail {
  const { data } = useInfiniteQuery({
    ...receivedQuery({ webhook: source.id }),
    enabled: source.type !== HEARTBEAT,
  });
  const newest = data?.pages[0]?.notifications[0]?.received_at ?? '';
  return newest > (source.last_used_at ?? '') ? { ...source, last_used_at: newest } : source;
}
