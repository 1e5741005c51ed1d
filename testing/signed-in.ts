import assert from 'node:assert/strict';
import { signInPath } from '../src/sessions/contract.ts';
import { createSignInLink } from '../src/sessions/sign-in-link.ts';
import type { Organization, Seeding } from './organization.ts';

export type SignedIn = {
  cookie: string;
  /** Calls the dashboard's API as its pages do; `headers` override those of the browser. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
};
// biome-ignore lint/suspicious/noExplicitAny: stories read answers of many shapes
export type ApiAnswer = { status: number; body: any };

/** A running service: that of a story, or one of several processes. */
export type Admitted = Pick<Seeding, 'db' | 'clock'> & { url: string; acme: Organization };

/** The URL of a new sign-in link for a person. */
export async function signInLink(
  place: Admitted,
  person: string,
  options: { withoutSecondFactor?: boolean } = {},
): Promise<string> {
  const userId = place.acme.users[person] ?? '';
  const at = await place.clock.now(place.db);
  const { token } = await createSignInLink(place.db, at, place.acme.id, userId, options);
  return place.url + signInPath(token);
}

/** Follows an operator's sign-in link as a browser does. */
export async function signIn(place: Admitted, person: string): Promise<SignedIn> {
  const answer = await fetch(await signInLink(place, person, { withoutSecondFactor: true }), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(answer.status, 303, await answer.text());
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    cookie,
    async call(method, path, body, headers = { 'sec-fetch-site': 'same-origin' }) {
      const json = method === 'GET' ? {} : { 'content-type': 'application/json' };
      const response = await fetch(place.url + path, {
        method,
        headers: { cookie, ...json, ...headers },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Marks all sessions as just re-authenticated, however much time has passed in the story. */
export async function confirmSessions({ db, clock }: Pick<Admitted, 'db' | 'clock'>): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmed_at: await clock.now(db) })
    .execute();
}
