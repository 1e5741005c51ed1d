import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { methodOf } from '../notifications/channels/contract.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { listMethods, listRulesOf, type MethodRow, replaceRulesFor } from './contact-store.ts';
import { type Rule, URGENCIES, type Urgency } from './contract.ts';
import type { Courier } from './methods/courier.ts';
import { type Means, notSetUp, obstacle } from './reachability.ts';
import { readRules } from './rule-reading.ts';
import { ruleWarnings } from './rule-warnings.ts';
import { effectiveRules, planNotifications } from './rules.ts';
import { type RulesShown, rulesApi, type UrgencyRules } from './rules-contract.ts';
import { recordAudit } from './store.ts';

export type RuleServices = { db: Database; clock: Clock; courier: Courier };

/** The viewer's own notification rules, and what a page would send with them. */
export function ruleApiRoutes(api: FastifyInstance, { db, clock, courier }: RuleServices): void {
  async function show({ organizationId, userId }: Viewer): Promise<RulesShown> {
    const rules = await listRulesOf(db, organizationId, userId);
    const methods = await listMethods(db, organizationId, [userId]);
    const shown = URGENCIES.toReversed().map((urgency) =>
      presentUrgency(urgency, rules, methods, courier.means),
    );
    return { urgencies: shown };
  }

  async function save(
    request: RequestOf<typeof rulesApi.reset>,
    rules: readonly Rule[],
  ): Promise<RulesShown> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const { urgency } = request.params;
    await db.transaction().execute(async (tx) => {
      await replaceRulesFor(tx, organizationId, userId, urgency, rules);
      const data = {
        urgency,
        rules: rules.map(({ afterMs, channels }) => ({ after_minutes: afterMs / 60_000, channels })),
      };
      await recordAudit(tx, await clock.now(tx), organizationId, userId, [
        { action: 'notification_rules.change', subject: userId, data },
      ]);
    });
    return show(viewer);
  }

  route(api, rulesApi.list, (request) => show(viewerOf(request)));

  route(api, rulesApi.replace, async (request) => {
    const { urgency } = request.params;
    const read = readRules(urgency, request.body);
    if ('problems' in read) throw new Fault('invalid_request', read.problems);
    return save(request, read.rules);
  });

  route(api, rulesApi.reset, (request) => save(request, []));
}

function presentUrgency(
  urgency: Urgency,
  ownRules: readonly Rule[],
  methods: readonly MethodRow[],
  means: Means,
): UrgencyRules {
  const rules = effectiveRules(urgency, ownRules);
  const placed = methods.map((method, position) => ({ ...method, position }));
  return {
    urgency,
    own: ownRules.some((rule) => rule.urgency === urgency),
    rules: rules.map(({ afterMs, channels }) => ({ after_minutes: afterMs / 60_000, channels })),
    plan: planNotifications(urgency, ownRules, placed).map(({ methodId, channel, afterMs }) => {
      const method = methods.find(({ id }) => id === methodId);
      return {
        after_minutes: afterMs / 60_000,
        channel,
        method: method
          ? { id: method.id, type: method.type, value: methodOf(method.type).shown(method.value) }
          : null,
        obstacle: notSetUp(channel, means) ?? (method ? obstacle(method, means) : null),
      };
    }),
    warnings: ruleWarnings(urgency, rules, methods, means),
  };
}
