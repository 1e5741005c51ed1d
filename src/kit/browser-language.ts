import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageOf } from '../language/contract.ts';

/** The language that a browser asks for, of those that people can choose; English without one. */
export function languageOfBrowser({ headers }: { headers: IncomingHttpHeaders }): Language {
  return languageOf(tagsOf(headers['accept-language']));
}

/** `de-AT,de;q=0.9` as its tags, in the order in which they are written. */
function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '');
}
