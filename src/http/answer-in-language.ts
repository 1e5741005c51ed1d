import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inLanguage } from '../language/ambient.ts';
import { type Language, languageOf } from '../language/contract.ts';

/** The requests of the dashboard, which are answered in the language that it shows. */
const ofDashboard = new WeakSet<FastifyRequest>();

/**
 * Answers the dashboard in the language that it shows, which it sends as `Accept-Language`. Programs that send none get
 * English, and so does everybody from the public API, whose texts the contract fixes.
 */
export function answerInLanguage(api: FastifyInstance): void {
  // A hook with a callback, because the context of an async hook ends with it.
  api.addHook('onRequest', (request, _reply, done) => {
    ofDashboard.add(request);
    inLanguage(languageOfRequest(request), done);
  });
}

/** The language of the answer to a request: English, unless it is one of the dashboard. */
export function languageOfRequest(request: FastifyRequest): Language {
  return ofDashboard.has(request) ? languageOfBrowser(request) : 'en';
}

/** The language that the browser asks for, for pages that a person opens. */
export function languageOfBrowser({ headers }: FastifyRequest): Language {
  return languageOf(tagsOf(headers['accept-language']));
}

/** `de-AT,de;q=0.9` as its tags, in the order in which they are written. */
function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '');
}
