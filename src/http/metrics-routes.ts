import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { isLoopbackHost } from '../kit/loopback.ts';
import { readLag } from '../worker/store.ts';
import type { HealthServices } from './health.ts';
import { hasMetricsToken } from './operator.ts';

/** Reading more often than this shows nothing new, and each read queries every queue. */
const KEPT_MS = 1_000;

export type MetricsServices = Pick<HealthServices, 'db' | 'clock' | 'metrics' | 'connections' | 'config'> & {
  /** If false, every read is computed again, for stories that move the clock between two reads. */
  keepMetrics: boolean;
};

/** GET /metrics on `PORT`: needs the token, and does not exist when none is configured. */
export function metricsRoute(listener: FastifyInstance, services: MetricsServices): void {
  serveMetrics(listener, services, (request) => {
    if (services.config.metrics.token === null) throw notHere();
    if (!hasMetricsToken(request, services.config)) throw tokenNeeded();
  });
}

/** GET /metrics on `METRICS_PORT`: needs no token if only this machine can reach it. */
export function metricsListenerRoute(listener: FastifyInstance, services: MetricsServices): void {
  const open = isLoopbackHost(services.config.metrics.listener?.host ?? '');
  serveMetrics(listener, services, (request) => {
    // Another host name means DNS rebinding by a web page.
    const here = open && isLoopbackHost(request.hostname);
    if (!here && !hasMetricsToken(request, services.config)) throw tokenNeeded();
  });
}

function serveMetrics(
  listener: FastifyInstance,
  services: MetricsServices,
  check: (request: FastifyRequest) => void,
): void {
  const read = services.keepMetrics ? keepFor(KEPT_MS, () => write(services)) : () => write(services);
  const onRequest = async (request: FastifyRequest) => check(request);
  listener.get('/metrics', { schema: { hide: true }, onRequest }, async (_, reply) =>
    reply.header('content-type', services.metrics.contentType).send(await read()),
  );
}

/** Caches the value for `ms`; callers that arrive while it is computed share the result. */
function keepFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; value: Promise<T> } | null = null;
  return () => {
    if (kept === null || performance.now() > kept.until)
      kept = { until: performance.now() + ms, value: find() };
    return kept.value;
  };
}

async function write(services: MetricsServices): Promise<string> {
  await refresh(services);
  return services.metrics.text();
}

async function refresh({ db, clock, metrics, connections }: MetricsServices): Promise<void> {
  for (const [pool, states] of Object.entries(connections()))
    for (const [state, count] of Object.entries(states)) metrics.pool.set({ pool, state }, count);
  const lag = await readLag(db, clock).catch(() => null);
  if (!lag) return;
  metrics.stepLag.set(lag.stepSeconds);
  metrics.queueAge.set({ queue: 'steps' }, lag.stepSeconds);
  metrics.queueAge.set({ queue: 'deliveries' }, lag.deliverySeconds);
  metrics.queueAge.set({ queue: 'notifications' }, lag.callSeconds);
}

function notHere(): Fault {
  return new Fault('not_found', [
    {
      field: 'path',
      message:
        'is not served here; set METRICS_TOKEN to read it with that token, or METRICS_PORT for a listener of its own',
    },
  ]);
}

function tokenNeeded(): Fault {
  return new Fault('unauthorized', [
    {
      field: 'Authorization',
      message: 'is missing or wrong; send "Bearer" and the METRICS_TOKEN of this service',
    },
  ]);
}
