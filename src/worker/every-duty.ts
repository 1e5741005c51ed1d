import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Log } from '../kit/log.ts';
import { forgetLostDashboards } from '../notifications/dashboards/gone.ts';
import { giveUpClosedDashboards } from '../notifications/outcomes.ts';
import type { ChannelProblems } from '../problems/channel-problems.ts';
import { forgetOldAnswers } from '../requests/store.ts';
import { extendPlans } from '../schedules/extend.ts';
import { repairPlans } from '../schedules/repair.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { forgetOldPasses } from '../sessions/store.ts';
import { forgetDeliveries } from '../webhooks/delivery-store.ts';
import type { WebhookHealth } from '../webhooks/health.ts';
import { forgetFormerTokens } from '../webhooks/manage-store.ts';
import { forgetOldNotifications } from '../webhooks/received-store.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import type { Duty } from './duties.ts';
import { nodeIsGone } from './store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export type DutyServices = {
  db: Database;
  clock: Clock;
  log: Log;
  config: Config;
  keys: Keys;
  sessions: Sessions;
  tokens: WebhookTokens;
  problems: ChannelProblems;
  health: WebhookHealth;
  /** This node's number; 0 while it is not registered. */
  node(): number;
};

/** All that this service does by the clock, beside pages. */
export function everyDuty(services: DutyServices): Duty[] {
  const { db, clock, log, keys, sessions, tokens, problems, health } = services;
  const once = (run: () => Promise<unknown>) => () => run().then(() => false);
  return [
    { name: 'note which keys were used', everyMs: 10 * SECOND, run: once(() => keys.flushUses()) },
    { name: 'note which sessions were used', everyMs: 10 * SECOND, run: once(() => sessions.flushUses()) },
    { name: 'note which webhooks were used', everyMs: 10 * SECOND, run: once(() => tokens.flushUses()) },
    { name: 'write down problems with providers', everyMs: 2 * SECOND, run: once(() => problems.flush()) },
    { name: 'write down problems with webhooks', everyMs: 2 * SECOND, run: once(() => health.flush()) },
    {
      name: 'forget dashboards of lost nodes',
      everyMs: SECOND,
      run: once(() => forgetLostDashboards(db, services.node(), nodeIsGone)),
    },
    {
      name: 'give up dashboards that were closed',
      everyMs: 2 * SECOND,
      run: once(() => giveUpClosedDashboards(db, clock)),
    },
    {
      name: 'forget old sessions',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldPasses(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old webhook calls',
      everyMs: 10 * MINUTE,
      run: async () =>
        (await forgetOldNotifications(db, clock, services.config.retentionDays, 1_000)) === 1_000,
    },
    {
      name: 'forget old deliveries of webhooks',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetDeliveries(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old tokens of webhooks',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetFormerTokens(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old answers',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldAnswers(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'repair plans after late absences',
      everyMs: 30 * SECOND,
      run: () => repairPlans(db, clock, log),
    },
    { name: 'plan schedules ahead', everyMs: 10 * MINUTE, run: once(() => extendPlans(db, clock, log)) },
  ];
}
