import type { FastifyInstance, FastifyRequest } from 'fastify';
import { coversApi } from '../covers/api-contract.ts';
import { languageOfBrowser } from '../kit/browser-language.ts';
import { urlOf } from '../kit/endpoint-contract.ts';
import { daysOf } from '../kit/zone-days-contract.ts';
import { noticesApi } from '../notices/api-contract.ts';
import { pagesApi } from '../pages/api-contract.ts';
import { methodsApi } from '../people/contact-contract.ts';
import { peopleApi } from '../people/person-contract.ts';
import { teamsApi } from '../people/team-api-contract.ts';
import { plansApi } from '../planning/plan-api-contract.ts';
import { problemsApi } from '../problems/api-contract.ts';
import { reportsApi } from '../reports/api-contract.ts';
import { lastWeeks, reportRange } from '../reports/span-contract.ts';
import { onCallApi } from '../schedules/api-contract.ts';
import { schedulesApi } from '../schedules/settings-contract.ts';
import { type Session, sessionApi } from '../sessions/api-contract.ts';
import { sourcesApi } from '../sources/api-contract.ts';
import { windowsApi } from '../sources/windows-api-contract.ts';
import { viewsApi } from '../views/api-contract.ts';
import { ACTIVE_WINDOWS, FIRST_ANSWERS_ID, type FirstAnswers, OPEN_PAGES } from './first-answers-contract.ts';

/** The document ends after this time at the latest. The dashboard then requests what is missing. */
const WITHIN_MS = 1_000;
/** A longer answer is left out, in characters: the document must not become much longer than its scripts. */
const LONGEST = 256 * 1024;

/** The parts of a request that the routes read: its session and its address. */
const PASSED_ON = ['cookie', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

const SESSION = urlOf(sessionApi.show);
const OF_EVERY_VIEW = [
  urlOf(pagesApi.list, { query: OPEN_PAGES }),
  urlOf(problemsApi.list),
  urlOf(noticesApi.list),
  urlOf(peopleApi.list),
];
const OF_VIEWS: Readonly<Record<string, readonly string[]>> = {
  '/': [
    urlOf(onCallApi.now),
    urlOf(coversApi.forMe),
    urlOf(windowsApi.list, { query: ACTIVE_WINDOWS }),
    urlOf(methodsApi.list),
  ],
  '/pages': [
    urlOf(viewsApi.list, { query: { list: 'pages' } }),
    urlOf(sourcesApi.list),
    urlOf(onCallApi.now),
  ],
  '/reports': [urlOf(teamsApi.list)],
  '/schedules': [urlOf(schedulesApi.list)],
};

/** What a view requests first, by its path and query. */
function firstRequests(address: string, { organization }: Pick<Session, 'organization'>): readonly string[] {
  const [path = '', search] = address.split('?');
  if (path === '/reports' && !search) return [urlOf(teamsApi.list), ...usualReports(organization.time_zone)];
  const [, id] = /^\/schedules\/(schedule_\w+)$/.exec(path) ?? [];
  if (!id) return OF_VIEWS[path] ?? [];
  const params = { id };
  return [
    urlOf(schedulesApi.find, { params }),
    urlOf(plansApi.inForce, { params }),
    urlOf(plansApi.draft, { params }),
  ];
}

/** The reports of the weeks that the view shows at first, which begin by the clock of the organization. */
function usualReports(zone: string): readonly string[] {
  const query = reportRange(lastWeeks(daysOf(zone), Date.now()), null);
  const { fairness, responses, load, withheld } = reportsApi;
  return [fairness, responses, load, withheld].map((report) => urlOf(report, { query }));
}

/**
 * The answers to what a view of the dashboard requests first, as an element of its document; empty without a session.
 * They come from the routes themselves, with the session of `request`, so they hold nothing that the viewer could not
 * request. Never throws, and takes at most a second.
 */
export async function firstAnswers(listener: FastifyInstance, request: FastifyRequest): Promise<string> {
  // A key in another header is that of a program, which has no use for them.
  if (!request.headers.cookie || request.headers.authorization !== undefined) return '';
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), WITHIN_MS);
  const answer = (url: string, language: string) =>
    Promise.race([answerOf(listener, request, url, language).catch(() => null), late.promise]);
  const session = await answer(SESSION, 'en');
  // Without its second factor, a session reaches nothing else.
  const body = (session?.body ?? { second_factor_missing: true }) as Session;
  const language = body.user?.language ?? languageOfBrowser(request);
  const urls = body.second_factor_missing ? [] : [...OF_EVERY_VIEW, ...firstRequests(request.url, body)];
  const answers = await Promise.all(urls.map((url) => answer(url, language)));
  clearTimeout(timer);
  const known = [session, ...answers].flatMap((one) => (one ? [[one.url, one.body]] : []));
  return session
    ? elementOf({ at: new Date().toISOString(), language, answers: Object.fromEntries(known) })
    : '';
}

async function answerOf(
  listener: FastifyInstance,
  { headers, ip }: FastifyRequest,
  url: string,
  language: string,
): Promise<{ url: string; body: unknown } | null> {
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const { statusCode, payload } = await listener.inject({
    ...{ method: 'GET', url, remoteAddress: ip },
    headers: { ...passedOn, accept: 'application/json', 'accept-language': language },
  });
  return statusCode === 200 && payload.length <= LONGEST ? { url, body: JSON.parse(payload) } : null;
}

/** Data that browsers do not run. Nothing in it ends the element or begins a comment. */
function elementOf(answers: FirstAnswers): string {
  const text = JSON.stringify(answers).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${FIRST_ANSWERS_ID}">${text}</script>`;
}
