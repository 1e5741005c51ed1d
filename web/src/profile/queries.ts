import { queryOptions } from '@tanstack/react-query';
import { feedsApi } from '../../../src/calendars/api-contract.ts';
import { methodsApi } from '../../../src/people/contact-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { rulesApi } from '../../../src/people/rules-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';
import { pushState } from './push.ts';

export const methodsQuery = queryOptions({
  queryKey: ['contact-methods'],
  queryFn: () => send(methodsApi.list),
  ...firstAnswer(methodsApi.list),
});

export const rulesQuery = queryOptions({
  queryKey: ['notification-rules'],
  queryFn: () => send(rulesApi.list),
});

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => send(peopleApi.profile),
});

export const feedsQuery = queryOptions({
  queryKey: ['calendars'],
  queryFn: () => send(feedsApi.list),
});

/** The state of push in this browser. */
export const pushQuery = queryOptions({ queryKey: ['push'], queryFn: pushState, staleTime: 0 });
