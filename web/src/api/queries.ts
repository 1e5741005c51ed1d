import { queryOptions } from '@tanstack/react-query';
import { OPEN_PAGES } from '../../../src/http/first-answers-contract.ts';
import { keysApi } from '../../../src/keys/api-contract.ts';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import type { ColleagueList } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { type ProblemShown, problemsApi } from '../../../src/problems/api-contract.ts';
import { onCallApi } from '../../../src/schedules/api-contract.ts';
import { type Session, sessionApi } from '../../../src/sessions/api-contract.ts';
import { preferTimes } from '../kit/time-formats.ts';
import { type UnsavedForm, unsavedForm } from '../kit/unsaved.ts';
import { preferLanguage } from '../language/t.ts';
import { forgetKept } from '../offline/keep.ts';
import { Refusal, send, showPerson } from './call.ts';
import { firstAnswer, forgetFirstAnswers } from './first-answers.ts';

export type Colleague = ColleagueList['people'][number];
export type Problem = ProblemShown;
/** While a page waits for an answer, its deliveries change without a new timeline event, so they are polled. */
const WHILE_NOTIFYING_MS = 3_000;

const ofDocument = firstAnswer(sessionApi.show);

/** `ended`: the session has ended, but a form with unsaved input is kept. `text`: what the service says of it. */
export type ShownSession = Session & { ended?: { text: string; Notice: UnsavedForm['Notice'] } };

function asTheyPrefer(session: Session): Session {
  showPerson(session.user.id);
  preferLanguage(session.user.language);
  preferTimes({ zone: session.user.time_zone, clock: session.user.clock });
  return session;
}

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions<ShownSession | null>({
  queryKey: ['session'],
  queryFn: ({ client }) => {
    forgetFirstAnswers();
    return send(sessionApi.show).then(asTheyPrefer, (error) => {
      if (!(error instanceof Refusal && error.status === 401)) throw error;
      // The session may have ended elsewhere, or by itself.
      void forgetKept();
      const last = client.getQueryData<ShownSession>(['session']);
      const form = unsavedForm();
      if (last && form) return { ...last, ended: { text: error.message, Notice: form.Notice } };
      preferTimes(null);
      return null;
    });
  },
  initialData: () => {
    const session = ofDocument.initialData();
    return session && asTheyPrefer(session);
  },
  initialDataUpdatedAt: ofDocument.initialDataUpdatedAt,
  staleTime: 5 * 60_000,
  // While the database is away, the saved on-call list is shown instead; go on as soon as it is back.
  refetchInterval: ({ state }) => (state.status === 'error' ? 5_000 : false),
});

export const openPagesQuery = queryOptions({
  queryKey: ['pages', 'open'],
  queryFn: () => send(pagesApi.list, { query: OPEN_PAGES }),
  ...firstAnswer(pagesApi.list, { query: OPEN_PAGES }),
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.state === 'notifying') ? WHILE_NOTIFYING_MS : 60_000,
});

export const pageQuery = (id: string) =>
  queryOptions({
    queryKey: ['pages', 'one', id],
    queryFn: () => send(pagesApi.show, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.page.state === 'notifying' ? WHILE_NOTIFYING_MS : false),
  });

export const onCallQuery = queryOptions({
  queryKey: ['on-call'],
  queryFn: () => send(onCallApi.now),
  ...firstAnswer(onCallApi.now),
  refetchInterval: 60_000,
});

export const problemsQuery = queryOptions({
  queryKey: ['problems'],
  queryFn: () => send(problemsApi.list),
  ...firstAnswer(problemsApi.list),
  refetchInterval: 30_000,
});

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: () => send(peopleApi.list),
  ...firstAnswer(peopleApi.list),
  staleTime: 60_000,
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => send(keysApi.list),
});
