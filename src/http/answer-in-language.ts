import type { FastifyInstance, FastifyRequest } from 'fastify';
import { languageOfBrowser } from '../kit/browser-language.ts';
import { inLanguage } from '../language/ambient.ts';
import type { Language } from '../language/contract.ts';

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

/** The language of the answer to a request: English, unless the dashboard sent it. */
export function languageOfRequest(request: FastifyRequest): Language {
  return ofDashboard.has(request) ? languageOfBrowser(request) : 'en';
}
