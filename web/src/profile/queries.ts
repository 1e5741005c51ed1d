import { queryOptions } from '@tanstack/react-query';
import { feedsApi } from '../../../src/calendars/api-contract.ts';
import type { MethodList } from '../../../src/people/contact-contract.ts';
import type { Profile } from '../../../src/people/person-contract.ts';
import type { RulesShown } from '../../../src/people/rules-contract.ts';
import { call, send } from '../api/call.ts';
import { pushState } from './push.ts';

export const methodsQuery = queryOptions({
  queryKey: ['contact-methods'],
  queryFn: () => call<MethodList>('GET', '/api/contact-methods'),
});

export const rulesQuery = queryOptions({
  queryKey: ['notification-rules'],
  queryFn: () => call<RulesShown>('GET', '/api/notification-rules'),
});

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => call<Profile>('GET', '/api/profile'),
});

export const feedsQuery = queryOptions({
  queryKey: ['calendars'],
  queryFn: () => send(feedsApi.list),
});

/** The state of push in this browser. */
export const pushQuery = queryOptions({ queryKey: ['push'], queryFn: pushState, staleTime: 0 });
