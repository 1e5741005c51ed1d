import type { Insertable } from 'kysely';
import type { Deliveries, DeliveryAttempts } from '../src/db/schema.ts';
import { idAt } from '../src/kit/typeid.ts';
import type { ChannelName } from '../src/notifications/channels/contract.ts';
import type { Urgency } from '../src/people/contract.ts';
import { type PlannedNotification, planNotifications } from '../src/people/rules.ts';
import type { Random } from './random.ts';
import type { Member, Scene } from './rota.ts';

export type DeliveryRow = Omit<Insertable<Deliveries>, 'responder_id'>;
export type AttemptRow = Insertable<DeliveryAttempts>;
export type Sent = { delivery: DeliveryRow; attempts: AttemptRow[] };

/** The notifications of one person about one page. `endedAt`: when somebody answered; null if nobody did. */
export type Run = {
  pageId: string;
  type: 'page.notification' | 'page.expired';
  urgency: Urgency;
  startedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
};

/** An arbitrary node id; the node that sent it no longer exists. */
const NODE = 1;

/** All deliveries of the person's rules about the page, including those that were not sent. */
export function deliveriesOf(scene: Scene, member: Member, run: Run, random: Random): Sent[] {
  const planned = planNotifications(run.urgency, [], member.methods).filter(
    ({ channel, afterMs }) =>
      (channel !== 'browser' || random.chance(isAwake(member, run.startedAt) ? 0.3 : 0.02)) &&
      (run.type === 'page.notification' || afterMs === 0),
  );
  return planned.map((one) => deliveryOf(scene, member, run, one, random));
}

/** Awake from 07:00 to 23:00 local time. */
export function isAwake({ timeZone }: Pick<Member, 'timeZone'>, at: Temporal.Instant): boolean {
  const { hour } = at.toZonedDateTimeISO(timeZone);
  return hour >= 7 && hour < 23;
}

function deliveryOf(
  scene: Scene,
  member: Member,
  run: Run,
  planned: PlannedNotification,
  random: Random,
): Sent {
  const dueAt = run.startedAt.add({ milliseconds: planned.afterMs });
  const method = member.methods.find(({ id }) => id === planned.methodId);
  const delivery: DeliveryRow = {
    id: idAt('delivery', run.startedAt),
    organization_id: scene.organizationId,
    page_id: run.pageId,
    user_id: member.userId,
    contact_method_id: planned.methodId,
    type: run.type,
    channel: planned.channel,
    address: method?.value ?? 'open dashboard',
    rule: planned.rule,
    state: 'waiting',
    due_at: dueAt,
    created_at: run.startedAt,
  };
  if (isOver(run, dueAt)) return cancelled(delivery, run, []);
  if (Temporal.Instant.compare(dueAt, scene.now) > 0) return { delivery, attempts: [] };
  return sent(delivery, run, dueAt, random);
}

/** Whether somebody answered before `at`. */
function isOver({ endedAt }: Run, at: Temporal.Instant): boolean {
  return endedAt !== null && Temporal.Instant.compare(at, endedAt) >= 0;
}

function cancelled(delivery: DeliveryRow, { endedAt }: Run, attempts: AttemptRow[]): Sent {
  const tried = { attempts: attempts.length, failures: attempts.length };
  return { delivery: { ...delivery, ...tried, state: 'cancelled', finished_at: endedAt }, attempts };
}

function sent(delivery: DeliveryRow, run: Run, dueAt: Temporal.Instant, random: Random): Sent {
  const attempts: AttemptRow[] = [];
  const isDeferred = delivery.channel === 'chat' && random.chance(0.03);
  let begunAt = dueAt.add({ milliseconds: random.whole(8, 90) });
  if (isDeferred && !isOver(run, begunAt)) {
    const endedAt = begunAt.add({ milliseconds: random.whole(900, 4_000) });
    attempts.push(attemptOf(delivery, 1, begunAt, endedAt, { outcome: 'retry', error: DEFERRED }));
    begunAt = endedAt.add({ milliseconds: random.whole(1_500, 4_000) });
  }
  if (isOver(run, begunAt)) return cancelled(delivery, run, attempts);
  const [least, most] = TAKES[delivery.channel] ?? [100, 800];
  const endedAt = begunAt.add({ milliseconds: random.whole(least, most) });
  const provider_id = providerId(delivery.channel, endedAt, random);
  attempts.push(
    attemptOf(delivery, attempts.length + 1, begunAt, endedAt, { outcome: 'accepted', provider_id }),
  );
  const accepted: DeliveryRow = {
    ...delivery,
    state: 'accepted',
    provider_id,
    sent_at: begunAt,
    accepted_at: endedAt,
    attempts: attempts.length,
    failures: attempts.length - 1,
  };
  return { delivery: withReceipt(accepted, endedAt, random), attempts };
}

const DEFERRED = 'Slack answered 503 Service Unavailable.';

/** Least and greatest latency of each provider, in milliseconds. */
const TAKES: Partial<Record<ChannelName, readonly [number, number]>> = {
  push: [120, 600],
  sms: [180, 900],
  voice: [200, 900],
  chat: [90, 500],
  email: [250, 1_800],
  webhook: [40, 300],
  browser: [30, 400],
};

type Ending = Pick<AttemptRow, 'outcome' | 'error' | 'provider_id'>;

function attemptOf(
  { id, organization_id }: DeliveryRow,
  attempt: number,
  begun_at: Temporal.Instant,
  ended_at: Temporal.Instant,
  ending: Ending,
): AttemptRow {
  return { delivery_id: id, organization_id, attempt, node: NODE, begun_at, ended_at, ...ending };
}

function providerId(channel: DeliveryRow['channel'], at: Temporal.Instant, random: Random): string | null {
  const hex = (length: number) => Array.from({ length }, () => random.whole(0, 15).toString(16)).join('');
  if (channel === 'sms') return `SM${hex(32)}`;
  if (channel === 'voice') return `CA${hex(32)}`;
  if (channel === 'email') return `<${hex(8)}-${hex(4)}-${hex(12)}@example.com>`;
  if (channel === 'chat') return `D0EXAMPLE:${(at.epochMilliseconds / 1_000).toFixed(6)}`;
  return null;
}

/** Adds the receipt where the provider sends one: messages nearly always arrive, calls are often not answered. */
function withReceipt(delivery: DeliveryRow, acceptedAt: Temporal.Instant, random: Random): DeliveryRow {
  if (delivery.channel !== 'sms' && delivery.channel !== 'voice') return delivery;
  const isCall = delivery.channel === 'voice';
  const arrived = random.chance(isCall ? 0.4 : 0.97);
  const seconds = isCall ? (arrived ? random.whole(7, 24) : 40) : random.whole(2, 9);
  const at = acceptedAt.add({ milliseconds: seconds * 1_000 + random.whole(0, 900) });
  return {
    ...delivery,
    state: arrived ? 'delivered' : 'failed',
    receipt: arrived ? 'delivered' : 'undelivered',
    receipt_at: at,
    finished_at: at,
    error: arrived
      ? null
      : isCall
        ? 'Nobody answered the call.'
        : 'The handset is off or has no network (30003).',
  };
}
