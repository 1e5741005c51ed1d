import type { IncomingHttpHeaders } from 'node:http';

/** Whether a person opened a URL in a browser to read, as opposed to a program or the dashboard's own scripts. */
export function isOpenedByPerson({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '');
}
