import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LIFEBOAT_STATES, type LifeboatState } from '../lifeboat/contract.ts';
import { AnswerTimes } from './answer-times.ts';

/** The metrics for operators, one registry per process. Their names are part of the public interface. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tocsin_' });
  const registers = [registry];
  const answers = new AnswerTimes();
  return {
    registry,
    /** Adds the metrics of a lifeboat, which only nodes with one have. */
    watchLifeboat: (lifeboat: LifeboatFigures) => addLifeboat(registry, lifeboat),
    contentType: registry.contentType,
    /** All metrics in the Prometheus text format. */
    text: async () => (await registry.metrics()) + answers.text(),
    accepted: new Counter({
      name: 'tocsin_accepted_total',
      help: 'Requests that were stored, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    answers,
    deliveries: new Counter({
      name: 'tocsin_deliveries_total',
      help: 'Attempts to notify somebody, by channel and outcome.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    queueAge: new Gauge({
      name: 'tocsin_queue_age_seconds',
      help: 'How late the oldest due work is, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    stepLag: new Gauge({
      name: 'tocsin_step_lag_seconds',
      help: 'How late the oldest due step of a page is.',
      registers,
    }),
    alarm: new Gauge({
      name: 'tocsin_alarm',
      help: 'Whether something about the service itself is wrong, by kind.',
      labelNames: ['alarm'],
      registers,
    }),
    syntheticSeconds: new Gauge({
      name: 'tocsin_synthetic_page_seconds',
      help: 'How long the last page that the service sent itself took to its receiver.',
      registers,
    }),
    heartbeats: new Counter({
      name: 'tocsin_heartbeats_total',
      help: 'Heartbeats sent to the external watchdog, by result.',
      labelNames: ['outcome'],
      registers,
    }),
    pool: new Gauge({
      name: 'tocsin_database_connections',
      help: 'Connections to the database, by pool and state.',
      labelNames: ['pool', 'state'],
      registers,
    }),
  };
}

/** The measurements of a lifeboat. */
export type LifeboatFigures = {
  readonly state: LifeboatState;
  readonly copiedAt: number | null;
  readonly aboard: number;
};

function addLifeboat(registry: Registry, lifeboat: LifeboatFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'tocsin_lifeboat_state',
    help: 'The state of the lifeboat of this node: 1 for the current one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of LIFEBOAT_STATES) this.set({ state }, state === lifeboat.state ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tocsin_lifeboat_copy_age_seconds',
    help: 'How old the copy of the configuration in the lifeboat is; absent before the first copy.',
    registers,
    collect() {
      if (lifeboat.copiedAt !== null) this.set((Date.now() - lifeboat.copiedAt) / 1_000);
    },
  });
  new Gauge({
    name: 'tocsin_lifeboat_requests',
    help: 'Requests in the lifeboat that are not in the main database yet.',
    registers,
    collect() {
      this.set(lifeboat.aboard);
    },
  });
}
