import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Counts and times every response by the pattern of its route, because its URL may hold a token. */
export function observeAnswers(listener: FastifyInstance, metrics: Metrics): void {
  listener.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.answers.observe(route, reply.statusCode, reply.elapsedTime / 1_000);
    request.log.debug(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
    done();
  });
}
