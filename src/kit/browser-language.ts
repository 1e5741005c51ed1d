import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageOf } from '../language/contract.ts';

/** The first language that a browser requests and people can choose; English if there is none. */
export function languageOfBrowser({ headers }: { headers: IncomingHttpHeaders }): Language {
  return languageOf(tagsOf(headers['accept-language']));
}

/** The tags of `de-AT,de;q=0.9`, in the given order. */
function tagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '');
}
