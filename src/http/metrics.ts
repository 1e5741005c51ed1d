import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
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
