import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Writes } from '../db/writes.ts';
import type { Room } from '../worker/room.ts';
import { isReadOnly, readLag } from '../worker/store.ts';
import type { Metrics } from './metrics.ts';
import { isOperator } from './operator.ts';

export type HealthServices = {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  /** By pool or lane: connections that are open and idle, and callers that wait for one. */
  connections(): Record<string, Partial<Record<'open' | 'idle' | 'waiting', number>>>;
  role: string;
  config: Pick<Config, 'alarmSeconds' | 'metrics' | 'trustProxy'>;
  /**
   * Milliseconds since the engine last polled for due work; null before its first poll, and when the process has no
   * engine.
   */
  lookedMsAgo(): number | null;
  /** The number of this node; 0 while it is not registered. */
  node(): number;
  writes: Writes;
  room: Pick<Room, 'shortages' | 'sentence'>;
  /** False while the process starts or stops. */
  serving(): boolean;
  /**
   * True once the process was asked to stop: it still answers, but load balancers should send it no further requests.
   */
  draining(): boolean;
  /** Migrations that run in the background while the service is up, and have not finished. */
  unapplied(): readonly string[];
};

type Check = { ok: boolean; message: string };

/** GET /healthz and /readyz, on every role: 200 or 503 for everybody, details of the checks for the operator only. */
export function healthRoutes(listener: FastifyInstance, services: HealthServices): void {
  const hidden = { schema: { hide: true } } as const;
  listener.get('/healthz', hidden, async (request, reply) => {
    const checks = {
      process: serving(services),
      database: await database(services),
      writes: stalledWrites(services),
    };
    return answer(services, request, reply, checks);
  });
  listener.get('/readyz', hidden, async (request, reply) => {
    const checks = {
      process: ready(services),
      database: await database(services),
      writes: failedWrites(services),
      worker: worker(services),
      engine: engine(services),
      schema: schema(services),
      room: room(services),
      ...(await queues(services)),
    };
    return answer(services, request, reply, checks);
  });
}

function answer(
  { config, role }: HealthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  checks: Record<string, Check>,
): FastifyReply {
  const ok = allOk(checks);
  const status = ok ? 'ok' : 'unavailable';
  return reply.code(ok ? 200 : 503).send(isOperator(request, config) ? { status, role, checks } : { status });
}

function allOk(checks: Record<string, Check>): boolean {
  return Object.values(checks).every((check) => check.ok);
}

function serving(services: HealthServices): Check {
  return services.serving()
    ? { ok: true, message: 'serving' }
    : { ok: false, message: 'starting or stopping' };
}

/** `/healthz` does not fail meanwhile, because a draining process must not be killed. */
function ready(services: HealthServices): Check {
  return services.draining()
    ? { ok: false, message: 'stops soon; requests are still answered' }
    : serving(services);
}

async function database(services: HealthServices): Promise<Check> {
  const began = performance.now();
  try {
    if (await isReadOnly(services.db))
      return { ok: false, message: 'takes no writes; check that DATABASE_URL leads to the primary' };
    return { ok: true, message: `answered in ${(performance.now() - began).toFixed(1)} ms` };
  } catch {
    return {
      ok: false,
      message: 'does not answer; check that PostgreSQL runs and that DATABASE_URL is right',
    };
  }
}

/** When no write has succeeded for too long, `/healthz` fails, so that the process is restarted. */
function stalledWrites({ writes }: HealthServices): Check {
  const ago = writes.stalledMs();
  if (ago === null) return { ok: true, message: 'the database takes writes' };
  return {
    ok: false,
    message: `writes have failed for ${Math.round(ago / 1_000)} s; check that DATABASE_URL leads to the primary`,
  };
}

function failedWrites({ writes }: HealthServices): Check {
  if (!writes.failing) return { ok: true, message: 'the database takes writes' };
  return { ok: false, message: 'the last write failed, because the database was away or read-only' };
}

function worker(services: HealthServices): Check {
  if (services.role === 'api')
    return { ok: true, message: 'this process answers requests only; workers run elsewhere' };
  return services.node() > 0
    ? { ok: true, message: `node ${services.node()}` }
    : {
        ok: false,
        message: `is not registered as a node${services.serving() ? '; it registers again' : ' yet'}`,
      };
}

/** The engine polls four times a second; after this long without a poll, it hangs. */
const STILL_MS = 15_000;

function engine(services: HealthServices): Check {
  const ago = services.lookedMsAgo();
  if (ago === null || ago < STILL_MS) return { ok: true, message: 'looks for due work' };
  const seconds = Math.round(ago / 1_000);
  return { ok: false, message: `has not looked for due work for ${seconds} s; see the log, and restart it` };
}

/** Never fails: a missing background migration makes queries slower, but not wrong. */
function schema(services: HealthServices): Check {
  const names = services.unapplied();
  if (names.length === 0) return { ok: true, message: 'complete' };
  return {
    ok: true,
    message: `still running in the background: ${names.join(', ')}; until then lists may be slow`,
  };
}

/** Never fails: a process that reports a shortage still accepts pages. */
function room({ room }: HealthServices): Check {
  const [shortage] = room.shortages();
  return { ok: true, message: shortage ? `${shortage.message} ${shortage.effect}` : room.sentence() };
}

async function queues(services: HealthServices): Promise<Record<string, Check>> {
  try {
    const lag = await readLag(services.db, services.clock);
    const limit = services.config.alarmSeconds;
    return {
      steps: late('steps of pages', lag.stepSeconds, limit),
      deliveries: late('notifications', lag.deliverySeconds, limit),
      moments: late('received webhook calls', lag.callSeconds, limit),
    };
  } catch {
    return {};
  }
}

function late(what: string, seconds: number, limit: number): Check {
  if (seconds < limit) return { ok: true, message: `${what} are ${seconds.toFixed(1)} s late at most` };
  return {
    ok: false,
    message: `${what} are ${Math.round(seconds)} s late; check that a worker runs and see its log`,
  };
}
