import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** Answers a known path with an unsupported method with 405 and the supported methods, instead of 404. */
export function refuseOtherMethods(listener: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  listener.decorate('routeTable', methods);
  listener.addHook('onRoute', (route) => {
    const known = methods.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) known.add(method);
    methods.set(route.url, known);
  });
  const refuse = (request: FastifyRequest): never => {
    const path = request.url.split('?')[0] ?? '/';
    const allowed = [...methods]
      .filter(([pattern]) => matches(pattern, path))
      .flatMap(([, known]) => [...known]);
    if (allowed.length === 0)
      throw new Fault('not_found', [{ field: 'path', message: 'does not exist; see /docs for all of them' }]);
    const names = [...new Set(allowed)].sort().join(', ');
    throw new Fault(
      'method_not_allowed',
      [{ field: 'method', message: `${request.method} is not possible here; use ${names}` }],
      { allow: names },
    );
  };
  // Runs before the body is parsed, so that the error is about the path or method and not about the body.
  listener.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404) refuse(request);
    done(null, payload);
  });
  listener.setNotFoundHandler(async (request) => refuse(request));
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of every path pattern. */
    routeTable: ReadonlyMap<string, ReadonlySet<string>>;
  }
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  if (pattern.includes('*')) return false;
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
