import type { Detail } from '../../../src/kit/detail-contract.ts';
import {
  type AnswerOf,
  type Endpoint,
  type Given,
  type GivenUrl,
  type Method,
  methodOf,
  pathOf,
  urlOf,
} from '../../../src/kit/endpoint-contract.ts';
import { LIFEBOAT_HEADER } from '../../../src/lifeboat/contract.ts';
import { onCallApi } from '../../../src/schedules/api-contract.ts';
import { accountApi, PERSON_HEADER, sessionApi } from '../../../src/sessions/api-contract.ts';
import { noteDatabaseAway } from '../away/database-away.ts';
import { noteLifeboat } from '../away/lifeboat.ts';
import { heardTime } from '../kit/clock.ts';
import { detailText } from '../kit/detail.ts';
import { shownLanguage, t } from '../language/t.ts';

/** What a refusal without details says to people; its own `error` is for programs and always English. */
export function answeredText(status: number): string {
  return t('The service answered {status}.', { status: String(status) });
}

/** An error answer of the service. `message` is a sentence for people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly details: Detail[];

  /** `reason`: what it says without details. */
  constructor(status: number, reason: string, details: Detail[]) {
    super(details.map(detailText).join(' ') || reason);
    this.status = status;
    this.details = details;
  }
}

/** Calls an endpoint of the dashboard's API. @throws Refusal with the sentences of the service */
export function send<One extends Endpoint>(one: One, ...[input]: Given<One>): Promise<AnswerOf<One>> {
  const { body } = (input ?? {}) as { body?: unknown };
  return call<AnswerOf<One>>(methodOf(one), urlOf(one, ...([input] as GivenUrl<One>)), body);
}

/** The same with an idempotency key: sent again with the same key and body, it does nothing twice. */
export function sendOnce<One extends Endpoint>(
  key: string,
  one: One,
  ...[input]: Given<One>
): Promise<AnswerOf<One>> {
  const { body } = (input ?? {}) as { body?: unknown };
  return call<AnswerOf<One>>(methodOf(one), urlOf(one, ...([input] as GivenUrl<One>)), body, {
    'idempotency-key': key,
  });
}

async function call<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  if (method === 'GET' && path !== SESSION_PATH) await held?.until;
  const deadline = deadlineOf(method, path);
  const response = await fetch(path, {
    method,
    signal: deadline.signal,
    headers: {
      accept: 'application/json',
      'accept-language': shownLanguage,
      ...ofShownPerson(),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  }).catch(() => {
    deadline.clear();
    throw new Refusal(0, unansweredWords(deadline.signal, method), []);
  });
  heardTime(response.headers.get('date'));
  noteLifeboat(response.headers.get(LIFEBOAT_HEADER));
  const answer = (await response.json().catch(() => {
    if (deadline.signal.aborted) throw new Refusal(0, unansweredWords(deadline.signal, method), []);
    return {};
  })) as { details?: Detail[] };
  deadline.clear();
  // The saved list also answers while the database is away.
  if (path !== SAVED_PATH) noteDatabaseAway(isDatabaseAway(response, answer));
  if (!response.ok) {
    // What is shown and what was entered belong to somebody else.
    if (response.status === 401 && answer.details?.[0]?.field === 'person') {
      window.location.reload();
      return new Promise(() => undefined);
    }
    // The action needs re-authentication; confirm it and try again.
    if (
      confirmer &&
      answer.details?.[0]?.field === 'confirmation' &&
      !path.startsWith(pathOf(accountApi.confirm))
    ) {
      await confirmer();
      return call(method, path, body, headers);
    }
    throw new Refusal(response.status, answeredText(response.status), answer.details ?? []);
  }
  if (method !== 'GET') held?.changed();
  return answer as Answer;
}

const SESSION_PATH = pathOf(sessionApi.show);
const SAVED_PATH = pathOf(onCallApi.saved);

/** The service says itself that its database is away; a proxy that answers 503 knows nothing of it. */
function isDatabaseAway({ status }: Response, { details }: { details?: Detail[] }): boolean {
  return status === 503 && details?.[0]?.field === 'service';
}

/**
 * Timeouts. Reads are short. A change may have to plan a schedule, but actions on pages and the dashboard's own
 * messages must be quick to be useful.
 */
const READ_MS = 30_000;
const QUICK_MS = 15_000;
const QUICK = /^\/api\/(pages|deliveries|events)\b/;
const CHANGE_MS = 120_000;

let reads = new AbortController();

/**
 * Aborts all pending reads on a dead connection. A browser opens only six connections to a server, so pending requests
 * would block new ones.
 */
export function abandonReads(): void {
  reads.abort();
  reads = new AbortController();
}

/** A dead connection never answers, so every request has a deadline. */
function deadlineOf(method: string, path: string): { signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  const ms = method === 'GET' ? READ_MS : QUICK.test(path) ? QUICK_MS : CHANGE_MS;
  const timer = window.setTimeout(() => late.abort(), ms);
  const signal = method === 'GET' ? AbortSignal.any([late.signal, reads.signal]) : late.signal;
  return { signal, clear: () => window.clearTimeout(timer) };
}

function unansweredWords({ aborted }: AbortSignal, method: string): string {
  if (!aborted) return t('The service cannot be reached. Check your connection and try again.');
  if (method === 'GET') return t('The service does not answer. Check your connection and try again.');
  return t('The service did not answer. The change may have been made; check before you try again.');
}

let confirmer: (() => Promise<void>) | null = null;

/** Sets the function that re-authenticates the viewer. Its promise rejects when they cancel. */
export function setConfirmer(confirm: () => Promise<void>): void {
  confirmer = confirm;
}

let shown: string | undefined;

/** Sets whom this dashboard shows, by their id. The service refuses its requests if another person is signed in. */
export function showPerson(id: string): void {
  shown = id;
}

/** The header that names whom this dashboard shows. */
export function ofShownPerson(): Record<string, string> {
  return shown ? { [PERSON_HEADER]: shown } : {};
}

let held: { until: Promise<void>; changed: () => void } | null = null;

/**
 * Lets all reads but that of the session wait. `changed`: the service accepted a change meanwhile. Returns a function that lets
 * them go on.
 */
export function holdReads(changed: () => void): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  held = { until, changed };
  return () => {
    held = null;
    resolve();
  };
}
