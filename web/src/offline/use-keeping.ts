import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onCallApi } from '../../../src/schedules/api-contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { keep, keptOf } from './keep.ts';

/** Shifts change rarely, and each open dashboard asks this often. */
const OFTEN_MS = 15 * 60_000;

/** Keeps the on-call list on this device for the time without a network, while somebody is signed in. */
export function useKeeping(session: Session): void {
  const { data } = useQuery({
    queryKey: ['schedules', 'offline'],
    queryFn: () => send(onCallApi.offline),
    refetchInterval: OFTEN_MS,
    staleTime: 60_000,
    enabled: 'caches' in window,
    retry: false,
  });
  useEffect(() => {
    if (data) void keep(keptOf(session, data));
  }, [session, data]);
}
