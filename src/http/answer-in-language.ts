import type { FastifyInstance } from 'fastify';
import { inLanguage } from '../language/ambient.ts';
import { languageOf } from '../language/contract.ts';

/**
 * Answers the dashboard in the language that it shows, which it sends as `Accept-Language`. Programs that send none get
 * English, and so does everybody from the public API, whose texts the contract fixes.
 */
export function answerInLanguage(api: FastifyInstance): void {
  // A hook with a callback, because the context of an async hook ends with it.
  api.addHook('onRequest', (request, _reply, done) => {
    inLanguage(languageOf(tagsOf(request.headers['accept-language'])), done);
  });
}

/** `de-AT,de;q=0.9` as its tags, in the order in which they are written. */
function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '');
}
