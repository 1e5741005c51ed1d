import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { PlacedCall, SentSms } from '../../testing/fakes/fake-twilio.ts';
import { type Organization, seedAway, seedOrganization } from '../../testing/organization.ts';
import { seedSource } from '../../testing/seeded-source.ts';
import { type SignedIn, signIn } from '../../testing/signed-in.ts';
import {
  type Act,
  type Edit,
  type Event,
  type History,
  type Manner,
  type Name,
  type NodeName,
  OWNER,
  PEOPLE,
  type Sent,
} from './history.ts';
import * as model from './model.ts';
import { couldNotPlay, type Played } from './played.ts';
import { type Arrival, compare, type Seen } from './promises.ts';
import type { Answered, Service } from './service.ts';

type TimelineEntry = {
  at: string;
  kind: string;
  by?: { email: string } | null;
  person?: { email: string } | null;
  as?: string;
  stage?: number | null;
  round?: number;
};

/** The kinds of events that the model foretells. */
const FORETOLD = new Set(
  `raised notified acknowledged resolved escalated unacknowledged reopened snoozed extended reminded urgency_raised expired
  answered_late joined added reassigned undone`.split(/\s+/),
);
const ACCEPTING: readonly Manner[] = ['accepts', 'drops'];
/** A message to a receiver that behaves like this is seen by its person. */
const ARRIVING: readonly Manner[] = ['accepts', 'fails after delivery', 'breaks off'];

const DAYS_PLANNED = 29;
const RETRIES = 100;
/** How long an event waits for an older one before it looks again. */
const LOOK_AGAIN_MS = 250;
const MOST_LOOKS = 8;
/**
 * At most this long after a receiver works again, notifications that had failed reach it. They are sent at their own
 * times then. While a receiver does not work, nobody notices at which of these times they fail again.
 */
const LONGEST_RETRY_MS = 36_000;

let histories = 0;

/**
 * Plays a history in a new organization of the service, and compares what can be observed from outside with the model
 * after each act.
 */
export async function play(service: Service, history: History): Promise<Played> {
  try {
    const player = await Player.begin(service, history);
    try {
      await player.play();
    } catch (error) {
      // What it left may also prevent its end, whose error would hide this one.
      await player.end().catch(() => undefined);
      throw error;
    }
    await player.end();
    return player.played;
  } catch (error) {
    return couldNotPlay(error);
  }
}

/**
 * The effect of an act in the model. There are several possible effects when an answer was lost and cannot be requested
 * again.
 */
type Outcome = { worlds: model.World[] };

class Player {
  readonly played: Played = { broken: [], deaths: 0, pages: 0, notifications: 0, loose: 0 };
  private readonly service: Service;
  private readonly history: History;
  private readonly acme: Organization;
  private readonly scheduleId: string;
  private readonly sourcePath: string;
  private readonly prefix: string;
  private readonly begunAt: Temporal.Instant;
  private owner: SignedIn | null = null;
  private world: model.World;
  private titles = 0;
  /** Everything that arrived, by delivery. */
  private readonly arrivals: Arrival[] = [];
  /** The text messages and calls about a page that arrived and can be answered. */
  private readonly onPhones: { who: Name; title: string; message: SentSms | PlacedCall }[] = [];
  private callsSeen = 0;
  private mayRepeat = false;
  /** The answer to an escalation by hand, and the runs of its page before it. */
  private said: { title: string; message: string; runs: number } | null = null;
  /** The amount by which the database's clock was set. The model's time is not affected. */
  private setBy = 0;
  /** The accepted requests for pages. */
  private readonly requests: { requestId: string; title: string }[] = [];

  private constructor(
    service: Service,
    history: History,
    made: {
      acme: Organization;
      scheduleId: string;
      sourcePath: string;
      prefix: string;
      begunAt: Temporal.Instant;
    },
  ) {
    this.service = service;
    this.history = history;
    this.acme = made.acme;
    this.scheduleId = made.scheduleId;
    this.sourcePath = made.sourcePath;
    this.prefix = made.prefix;
    this.begunAt = made.begunAt;
    this.world = model.worldOf(history.cast);
  }

  static async begin(service: Service, history: History): Promise<Player> {
    const { cast } = history;
    const { db } = service;
    const prefix = `/h${++histories}`;
    service.manners.clear();
    service.receiver.received.length = 0;
    service.receiver.over.length = 0;
    service.mail.messages.received.length = 0;
    service.twilio.messages.received.length = 0;
    service.twilio.calls.received.length = 0;
    const acme = await seedOrganization(service, {
      people: {
        [OWNER]: {},
        ...Object.fromEntries(
          PEOPLE.map((name) => {
            const { methods, email, phone, high } = cast.people[name];
            const urls = Array.from(
              { length: methods },
              (_, method) => `${service.receiver.url.slice(0, -1)}${prefix}/${name}/${method}`,
            );
            return [
              name,
              {
                methods: [
                  ...urls.map((value) => ({ type: 'webhook' as const, value })),
                  ...(email
                    ? [
                        {
                          type: 'email' as const,
                          value: `${name}@${prefix.slice(1)}.example`,
                          notices: false,
                        },
                      ]
                    : []),
                  ...(phone ? [{ type: 'phone' as const, value: numberOf(prefix, name) }] : []),
                ],
                ...(high
                  ? { rules: { high: high.map((after) => ({ after, channels: ['webhook' as const] })) } }
                  : {}),
              },
            ];
          }),
        ),
      },
      teams: {
        sre: {
          members: [...PEOPLE],
          schedules: [
            { stages: cast.stages, delay: cast.delay, ...(cast.backstop ? { backstop: cast.backstop } : {}) },
          ],
        },
      },
    });
    service.receiver.secret = acme.webhookSecret;
    await db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', acme.users[OWNER] ?? '')
      .execute();
    const { id: scheduleId } = await db
      .updateTable('schedules')
      .set({
        acknowledge_timeout_minutes: cast.timeouts.high,
        ask_again_medium_minutes: cast.timeouts.medium,
        ask_again_low_minutes: cast.timeouts.low,
      })
      .where('organization_id', '=', acme.id)
      .returning('id')
      .executeTakeFirstOrThrow();
    const { path: sourcePath } = await seedSource(service, acme, { team: 'sre', name: 'Prometheus' });
    const begunAt = await service.clock.now(db);
    const player = new Player(service, history, { acme, scheduleId, sourcePath, prefix, begunAt });
    await player.readShifts('first');
    return player;
  }

  async play(): Promise<void> {
    for (const [index, act] of this.history.acts.entries()) {
      if (act.death) this.service.doom(act.death);
      const broken = await this.perform(act);
      if (this.service.spare()) this.died();
      broken.push(...this.service.takeErrors().map((line) => `an error was logged: ${line.slice(0, 600)}`));
      if (broken.length > 0) {
        this.played.broken = broken.map((sentence) => `After act ${index + 1}: ${sentence}`);
        return;
      }
    }
    for (const page of this.world.pages) this.played.broken.push(...(await this.wrongRecords(page)));
    for (const request of this.requests) this.played.broken.push(...(await this.wrongStatus(request)));
  }

  /** Whether the timeline of a page records everything that happened to it. */
  private async wrongRecords(page: model.Page): Promise<string[]> {
    // If the clock was set, even if it was set back later, the times of a timeline come from different clocks.
    if (page.loose !== null || this.world.isClockSet) return [];
    const { body } = await this.get('first', `/api/pages/${page.id}`);
    const entries = body.timeline as TimelineEntry[];
    const shown = entries
      .flatMap((entry) => (FORETOLD.has(entry.kind) ? [this.textOf(entry)] : []))
      .filter((text) => !page.unsure.includes(text));
    const [missing] = page.timeline.filter((text) => !shown.includes(text));
    const [extra] = shown.filter((text) => !page.timeline.includes(text));
    const isInOrder = entries.every(({ at }, index) => index === 0 || (entries[index - 1]?.at ?? '') <= at);
    return [
      ...(missing === undefined ? [] : [`the timeline of ${page.title} lacks “${missing}”`]),
      ...(extra === undefined ? [] : [`the timeline of ${page.title} says “${extra}”, which did not happen`]),
      ...(shown.length === page.timeline.length || missing !== undefined || extra !== undefined
        ? []
        : [`the timeline of ${page.title} says something twice`]),
      ...(isInOrder ? [] : [`the timeline of ${page.title} is not in order`]),
    ];
  }

  private textOf({ at, kind, by, person, as, stage, round }: TimelineEntry): string {
    const who = (one: { email: string } | null | undefined) => one?.email.split('@')[0] ?? null;
    if (kind === 'notified')
      return model.eventText(this.since(at), `notified as ${as} ${stage} of round ${round}`, who(person));
    return model.eventText(this.since(at), kind, kind === 'acknowledged' ? who(by) : null);
  }

  /** Whether the request of a page, as its sender sees it, names the page and agrees with it. */
  private async wrongStatus({ requestId, title }: { requestId: string; title: string }): Promise<string[]> {
    const page = this.world.pages.find((one) => one.title === title);
    // It has repeated the trigger of another page.
    if (!page) return [];
    const { body } = await this.get('first', `/request/${requestId}/status`);
    const { page: named, status } = body.response as {
      status: string;
      page: { id: string; state: string } | null;
    };
    if (named?.id !== page.id || named?.state !== page.state)
      return [`the request of ${title} names ${JSON.stringify(named)}, and the page is ${page.state}`];
    const wasAccepted = this.arrivals.some(
      (one) => one.title === title && one.type === 'page.notification' && ACCEPTING.includes(one.manner),
    );
    return wasAccepted && status !== 'succeeded'
      ? [`the request of ${title} is ${status} although a notification of it was accepted`]
      : [];
  }

  private died(): void {
    this.played.deaths++;
    this.mayRepeat = true;
  }

  /** Stops everything in this history that could disturb the next one. */
  async end(): Promise<void> {
    const { db } = this.service;
    this.played.pages = this.world.pages.length;
    this.played.loose = this.world.pages.filter(({ loose }) => loose !== null).length;
    await this.service.databaseIsBack();
    this.service.spare();
    // Deletes pages with their steps, deliveries and timelines.
    await db.deleteFrom('pages').where('organization_id', '=', this.acme.id).execute();
    this.service.takeErrors();
  }

  private async perform(act: Act): Promise<string[]> {
    switch (act.act) {
      case 'wait':
        return this.wait(act);
      case 'receiver':
        this.world.manners[act.who] = act.manner;
        this.world.manneredAt[act.who] = this.world.now;
        this.setManner(act.who, act.manner);
        return [];
      case 'set clock':
        // Each node writes a sign of life every few seconds, but none does so by itself here.
        await this.service.db.updateTable('nodes').set({ seen_at: this.service.clock.sql }).execute();
        this.service.clock.step({ seconds: act.minutes * 60 });
        this.setBy += act.minutes * model.MINUTE;
        model.setClock(this.world, act.minutes * model.MINUTE);
        await this.service.settle();
        await this.readShifts(act.node);
        return this.settled({ worlds: [this.world] }, act.node);
      case 'switchover':
        return this.switchover(act);
      case 'database away':
        return this.withoutDatabase(act);
      default: {
        const done = await this.act(act);
        if ('broken' in done) return done.broken;
        return this.settled(done, act.node);
      }
    }
  }

  private setManner(who: Name, manner: Manner): void {
    for (let method = 0; method < this.history.cast.people[who].methods; method++)
      this.service.manners.set(`${this.prefix}/${who}/${method}`, manner);
    this.service.manners.set(numberOf(this.prefix, who), manner);
  }

  private act(act: Act): Promise<Outcome | { broken: string[] }> {
    // People answer after an event that they answer, because events at one instant of a stopped clock have no order.
    if (act.act === 'answer' || act.act === 'press' || act.act === 'reply') this.tick();
    switch (act.act) {
      case 'page':
        return this.page(act);
      case 'storm':
        return this.storm(act);
      case 'event':
        return this.event(act);
      case 'race':
        return this.race(act);
      case 'answer':
        return this.answer(act);
      case 'press':
        return this.press(act);
      case 'reply':
        return this.reply(act);
      case 'edit':
        return this.edit(act);
      default:
        return Promise.resolve({ worlds: [this.world] });
    }
  }

  private tick(): void {
    this.service.clock.advance({ milliseconds: 1 });
    this.world.now += 1;
  }

  /** Sends a request until it is answered, as clients do that repeat with the same key. */
  private async insist(
    node: NodeName,
    path: string,
    of: { headers?: Record<string, string>; body?: unknown; form?: string },
  ): Promise<Answered> {
    let on = node;
    for (let tries = 0; tries < RETRIES; tries++) {
      const answer = await this.service.call(on, 'POST', path, {
        ...of,
        headers: { accept: 'application/json', ...of.headers },
      });
      if (answer && answer.status !== 503) return answer;
      on = on === 'first' ? 'second' : 'first';
      await delay(5);
    }
    throw new Error(`${path} was not answered in ${RETRIES} tries`);
  }

  /** Sends one request as its client does, and returns all answers, which must be equal. */
  private async send(
    { node, sent }: { node: NodeName; sent: Sent },
    path: string,
    of: { headers: Record<string, string>; body: unknown },
  ): Promise<Answered[]> {
    const other = node === 'first' ? 'second' : 'first';
    if (sent === 'to both') return Promise.all([this.insist(node, path, of), this.insist(other, path, of)]);
    if (sent === 'cut') await this.service.call(node, 'POST', path, { ...of, isCut: true });
    const answer = await this.insist(node, path, of);
    return sent === 'twice' ? [answer, await this.insist(other, path, of)] : [answer];
  }

  private get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.acme.key}` };
  }

  private async page(act: Extract<Act, { act: 'page' }>): Promise<Outcome | { broken: string[] }> {
    const { to, urgency, key } = act;
    const title = `page ${this.titles++}`;
    const path = to === 'team' ? '/page/team' : '/page/person';
    const answers = await this.send(act, path, {
      headers: { ...this.bearer, 'idempotency-key': randomUUID() },
      body: {
        ...{ title, text: 'x', urgency, recipient: to === 'team' ? 'sre' : `${to}@example.com` },
        ...(key === null ? {} : { dedup_key: key }),
      },
    });
    const refused = answers.find(({ status }) => status === 400);
    if (refused && !model.isRefused(this.world, to))
      return {
        broken: [
          `a page to ${to} was refused although it would reach somebody: ${JSON.stringify(refused.body)}`,
        ],
      };
    const wrong = answers.find(({ status }) => status !== 200 && status !== 400);
    if (wrong) return { broken: [`a page was answered ${wrong.status}: ${JSON.stringify(wrong.body)}`] };
    // A node believes for half a second that somebody can be reached, so one node may accept what the other refuses.
    const [answer, ...others] = answers.filter(({ status }) => status === 200);
    if (!answer) return { worlds: [this.world] };
    if (others.some(({ body }) => body.service_request_id !== answer.body.service_request_id))
      return { broken: ['a repeated Idempotency-Key was answered with another request'] };
    this.requests.push({ requestId: String(answer.body.service_request_id), title });
    model.trigger(this.world, { title, to, urgency, key: key === null ? null : `${to} ${key}` });
    return { worlds: [this.world] };
  }

  private async storm({ urgency, count, node }: Extract<Act, { act: 'storm' }>) {
    for (let pages = 0; pages < count; pages++) {
      const done = await this.page({ act: 'page', to: 'team', urgency, key: null, sent: 'once', node });
      if ('broken' in done) return done;
    }
    return { worlds: [this.world] };
  }

  private async event(act: Extract<Act, { act: 'event' }>): Promise<Outcome | { broken: string[] }> {
    const { action, key, urgency, node } = act;
    const title = `page ${this.titles++}`;
    const [answer, ...others] = await this.send(act, this.sourcePath, {
      headers: { accept: 'application/json', 'idempotency-key': randomUUID() },
      body: { title, text: 'x', urgency, dedup_key: key, action },
    });
    if (answer?.status !== 200)
      return { broken: [`an event was answered ${answer?.status}: ${JSON.stringify(answer?.body)}`] };
    if (others.some(({ body }) => body.service_request_id !== answer.body.service_request_id))
      return { broken: ['a repeated Idempotency-Key was answered with another request'] };
    await this.service.settle();
    if (this.service.spare()) this.died();
    const did = await this.whatItDid(node, String(answer.body.service_request_id));
    const name = `source ${key}`;
    const expected =
      action === 'trigger'
        ? model.sourceTriggers(this.world, { title, urgency, key: name })
        : model.sourceAnswers(this.world, name, action);
    return did === expected
      ? { worlds: [this.world] }
      : { broken: [`the event “${action}” of ${key} did “${did}” instead of “${expected}”`] };
  }

  /** The service may choose the order of two events of one instant, and whether it notifies between them. */
  private async race({
    key,
    events,
    node,
  }: Extract<Act, { act: 'race' }>): Promise<Outcome | { broken: string[] }> {
    if (model.runningSilence(this.world)) return this.oneByOne({ key, events, node });
    const titled = events.map((event) => ({ ...event, title: `page ${this.titles++}` }));
    const nodes = ['first', 'second'] as const;
    const answers = await Promise.all(
      titled.map(({ title, urgency, action }, index) =>
        this.insist(nodes[index] ?? 'first', this.sourcePath, {
          headers: { 'idempotency-key': randomUUID() },
          body: { title, text: 'x', urgency, dedup_key: key, action },
        }),
      ),
    );
    const refused = answers.find(({ status }) => status !== 200);
    if (refused)
      return { broken: [`an event was answered ${refused.status}: ${JSON.stringify(refused.body)}`] };
    await this.service.settle();
    if (this.service.spare()) this.died();
    const did: string[] = [];
    for (const { body } of answers) did.push(await this.whatItDid('first', String(body.service_request_id)));
    const orders = [
      [0, 1],
      [1, 0],
    ].map((order) => {
      const world = structuredClone(this.world);
      const expected: string[] = [];
      for (const index of order) {
        const event = titled[index];
        if (event) expected[index] = raced(world, `source ${key}`, event);
      }
      return { world, expected };
    });
    const possible = orders.filter(({ expected }) => expected.every((one, index) => one === did[index]));
    if (possible.length > 0) return { worlds: possible.map(({ world }) => world) };
    const sent = titled.map(({ action }) => `“${action}”`).join(' and ');
    return {
      broken: [
        `the events ${sent} of ${key} did ${did.join(' and ')} instead of ${orders.map(({ expected }) => expected.join(' and ')).join(', or ')}`,
      ],
    };
  }

  /** The event that a silence keeps cannot be observed before the silence ends. */
  private async oneByOne({
    key,
    events: [first, second],
    node,
  }: {
    key: string;
    events: [Event, Event];
    node: NodeName;
  }): Promise<Outcome | { broken: string[] }> {
    const event = (one: Event) => this.event({ act: 'event', key, sent: 'once', ...one, node });
    const done = await event(first);
    const broken = 'broken' in done ? done.broken : await this.settled(done, node);
    return broken.length > 0 ? { broken } : event(second);
  }

  /**
   * An event that ends a page waits for older events of its source, which another node may be processing, and is tried
   * again later.
   */
  private async whatItDid(node: NodeName, requestId: string): Promise<string> {
    for (let looks = 0; ; looks++) {
      const { body } = await this.get(node, `/request/${requestId}/status`);
      const { pages, status } = body.response as { status: string; pages?: { action: string }[] };
      const did = pages?.[0]?.action ?? status;
      if (did !== 'processing' || looks === MOST_LOOKS) return did;
      this.service.clock.advance({ milliseconds: LOOK_AGAIN_MS });
      this.world.now += LOOK_AGAIN_MS;
      await this.service.settle();
    }
  }

  private async get(node: NodeName, path: string): Promise<Answered> {
    for (let tries = 0; tries < RETRIES; tries++) {
      const answer = await this.service.call(node, 'GET', path, { headers: this.bearer });
      if (answer?.status === 200) return answer;
      if (answer && answer.status !== 503)
        throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      await delay(5);
    }
    throw new Error(`${path} was not answered in ${RETRIES} tries`);
  }

  private async answer(act: Extract<Act, { act: 'answer' }>): Promise<Outcome | { broken: string[] }> {
    const { how, minutes, who, node } = act;
    const known = this.world.pages;
    const index = act.page % Math.max(1, known.length);
    const page = known[index];
    // The time to undo an answer ends by the clock.
    if (!page?.id || (how === 'undo' && this.world.isClockSet)) return { worlds: [this.world] };
    const before = structuredClone(this.world);
    const isTo = how === 'add' || how === 'reassign';
    const body =
      how === 'snooze' || how === 'extend' ? { minutes } : isTo ? { users: [`${who}@example.com`] } : {};
    const route = how === 'add' ? 'responders' : how;
    const answer = await this.service.call(node, 'POST', `/api/pages/${page.id}/${route}`, {
      headers: this.bearer,
      body,
    });
    if (isTo && answer?.status === 400)
      return model.isReachable(this.world, who)
        ? { broken: [`“${how}” refused ${who}, who can be reached: ${JSON.stringify(answer.body)}`] }
        : { worlds: [this.world] };
    const runs = page.runs.length;
    const did = {
      acknowledge: () => model.acknowledge(this.world, page, OWNER),
      resolve: () => model.resolve(this.world, page, OWNER),
      escalate: () => model.escalate(this.world, page),
      unacknowledge: () => model.unacknowledge(this.world, page),
      reopen: () => model.reopen(this.world, page),
      snooze: () => model.snooze(this.world, page, minutes),
      extend: () => model.extend(this.world, page, minutes),
      add: () => model.add(this.world, page, who),
      reassign: () => model.reassign(this.world, page, who),
      undo: () => model.undo(this.world, page),
    }[how]();
    // The answer was lost, so the request may have been stored or not. A person looks at the page before they press the
    // button again.
    if (!answer || answer.status === 503) {
      const earlier = before.pages[index];
      // Nothing but the timeline shows an acknowledgement that came too late.
      if (earlier?.state === 'expired' && how === 'acknowledge')
        page.unsure.push(...page.timeline.splice(earlier.timeline.length));
      return { worlds: [this.world, before] };
    }
    if (how === 'add' && did && page.loose !== null && (await this.wasAdded(page, who, answer)))
      return { worlds: [before] };
    const isRefusable = how !== 'acknowledge' && how !== 'resolve';
    const expected = did || !isRefusable ? 200 : 409;
    if (answer.status !== expected)
      return {
        broken: [
          `“${how}” of a page that was ${before.pages[index]?.state} was answered ${answer.status} instead of ${expected}: ${JSON.stringify(answer.body)}`,
        ],
      };
    if (answer.status === 200 && answer.body.changed !== did)
      return { broken: [`“${how}” of ${page.title} said changed: ${answer.body.changed}`] };
    if (how === 'escalate' && did)
      this.said = { title: page.title, message: String(answer.body.message), runs };
    return { worlds: [this.world] };
  }

  /**
   * Whether a page was right to refuse adding this person because it has already notified them. Which people a loose page
   * has notified in its round depends on the service.
   */
  private async wasAdded({ id, round }: model.Page, who: Name, { status }: Answered): Promise<boolean> {
    if (status !== 409) return false;
    const { body } = await this.get('first', `/api/pages/${id}`);
    return (body.timeline as TimelineEntry[]).some(
      (entry) =>
        entry.as === 'added' && entry.round === round && entry.person?.email === `${who}@example.com`,
    );
  }

  private async press(act: Extract<Act, { act: 'press' }>): Promise<Outcome | { broken: string[] }> {
    const received = this.arrivals.filter(
      ({ type, manner, acknowledgeUrl }) =>
        type === 'page.notification' && manner !== 'drops' && acknowledgeUrl !== '',
    );
    const one = received[act.notification % Math.max(1, received.length)];
    const page = this.world.pages.find(({ title }) => title === one?.title);
    if (!one || !page) return { worlds: [this.world] };
    const answer = await this.insist(act.node, new URL(one.acknowledgeUrl).pathname, {
      form: `answer=${randomUUID()}`,
    });
    if (this.world.disabled.includes(one.who))
      return answer.status === 404
        ? { worlds: [this.world] }
        : { broken: [`the link of ${one.who}, who is disabled, was answered ${answer.status}`] };
    if (answer.status === 410 && this.world.now - one.at > 6 * 24 * 60 * model.MINUTE)
      return { worlds: [this.world] };
    if (answer.status !== 200)
      return { broken: [`a link was answered ${answer.status}: ${JSON.stringify(answer.body)}`] };
    model.acknowledge(this.world, page, one.who);
    return { worlds: [this.world] };
  }

  private async reply(act: Extract<Act, { act: 'reply' }>): Promise<Outcome | { broken: string[] }> {
    const one = this.onPhones[act.notification % Math.max(1, this.onPhones.length)];
    const page = this.world.pages.find(({ title }) => title === one?.title);
    if (!one || !page || this.isAmbiguous(one)) return { worlds: [this.world] };
    const answer = await this.untilAnswered(act.node, ({ twilio }) => {
      const { message } = one;
      if (!('body' in message)) return twilio.press(message, '4');
      return twilio.sms(message.to, `ack ${codeOf(message)}`).then((response) => response.text());
    });
    if (this.world.disabled.includes(one.who)) return { worlds: [this.world] };
    if ('body' in one.message && !answer.includes(one.title))
      return { broken: [`the reply of ${one.who} to ${one.title} was answered ${answer}`] };
    model.acknowledge(this.world, page, one.who);
    return { worlds: [this.world] };
  }

  /** Codes have four digits, so two pages may have the same. */
  private isAmbiguous({ who, title, message }: { who: Name; title: string; message: object }): boolean {
    const code = 'body' in message ? codeOf(message as SentSms) : null;
    return this.onPhones.some(
      (other) =>
        code !== null &&
        other.who === who &&
        other.title !== title &&
        'body' in other.message &&
        codeOf(other.message) === code,
    );
  }

  /** Twilio calls one of the nodes until it is answered, as it does when a server has failed. */
  private async untilAnswered(node: NodeName, send: (service: Service) => Promise<string>): Promise<string> {
    let on = node;
    for (let tries = 0; tries < RETRIES; tries++) {
      this.service.twilio.reachAt(await this.service.url(on));
      const answer = await send(this.service).catch(() => null);
      if (answer?.includes('<Response>')) return answer;
      on = on === 'first' ? 'second' : 'first';
      await delay(5);
    }
    throw new Error(`an answer of Twilio was not taken in ${RETRIES} tries`);
  }

  private async edit({ edit, node }: Extract<Act, { act: 'edit' }>): Promise<Outcome | { broken: string[] }> {
    const { service, world, acme } = this;
    switch (edit.what) {
      case 'disable': {
        const done = await this.disable(edit.who, node);
        if (done !== null) return { broken: [done] };
        model.disable(world, edit.who);
        await this.readShifts(node);
        return { worlds: [world] };
      }
      case 'away':
        await seedAway(service, acme, edit.who, await service.clock.now(service.db), edit.hours);
        world.away.push({ who: edit.who, from: world.now, to: world.now + edit.hours * 60 * model.MINUTE });
        return { worlds: [world] };
      case 'remove webhooks':
        if (world.disabled.includes(edit.who)) return { worlds: [world] };
        await this.removeWebhooks(edit.who, node);
        model.removeWebhooks(world, edit.who);
        return { worlds: [world] };
      case 'leave':
        await this.leave(edit.who, node);
        world.left.push(edit.who);
        await this.readShifts(node);
        return { worlds: [world] };
      case 'silence':
        await this.silence(edit, node);
        world.silences.push({
          effect: edit.effect,
          ...{ from: world.now, to: world.now + edit.minutes * model.MINUTE },
        });
        return { worlds: [world] };
      case 'delay':
        await service.db
          .updateTable('schedule_stages')
          .set({ escalate_after_seconds: edit.minutes * 60 })
          .where('schedule_id', '=', this.scheduleId)
          .execute();
        world.delay = edit.minutes * model.MINUTE;
        world.shortestDelay = Math.min(world.shortestDelay, world.delay);
        world.longestDelay = Math.max(world.longestDelay, world.delay);
        return { worlds: [world] };
      case 'hand over':
        return this.handOver(edit.stage % world.stages.length, edit.to, node);
    }
  }

  private async leave(who: Name, node: NodeName): Promise<void> {
    for (let tries = 0; tries < RETRIES; tries++) {
      const path = `/api/teams/sre/members/${this.acme.users[who]}`;
      const answer = await this.service.call(node, 'DELETE', path, { headers: this.bearer });
      if (answer?.status === 200) return;
      if (answer && answer.status !== 503)
        throw new Error(`${who} could not leave the team: ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(5);
    }
    throw new Error(`${who} could not leave the team`);
  }

  private async removeWebhooks(who: Name, node: NodeName): Promise<void> {
    const { service, acme } = this;
    const { db, clock } = service;
    for (let tries = 0; tries < RETRIES; tries++) {
      const left = await db
        .selectFrom('contact_methods')
        .select('id')
        .where('user_id', '=', String(acme.users[who]))
        .where('type', '=', 'webhook')
        .execute();
      if (left.length === 0) return;
      try {
        const { cookie } = await signIn({ db, clock, url: await service.url(node), acme }, who);
        const headers = { cookie, 'sec-fetch-site': 'same-origin' };
        for (const { id } of left)
          await service.call(node, 'DELETE', `/api/contact-methods/${id}`, { headers, body: {} });
      } catch {
        // The node died while they signed in.
      }
      await delay(5);
    }
    throw new Error(`the webhooks of ${who} could not be removed`);
  }

  /** A silence has a unique name, so a silence whose answer was lost is not created twice. */
  private async silence(
    { effect, minutes }: Extract<Edit, { what: 'silence' }>,
    node: NodeName,
  ): Promise<void> {
    const name = `silence ${this.world.silences.length}`;
    for (let tries = 0; tries < RETRIES; tries++) {
      const { body } = await this.get(node, '/api/windows');
      if ((body.windows as { name: string }[]).some((window) => window.name === name)) return;
      const answer = await this.service.call(node, 'POST', '/api/windows', {
        headers: this.bearer,
        body: { team: 'sre', name, effect, silence: true, minutes },
      });
      if (answer?.status === 201) return;
      if (answer && answer.status !== 503)
        throw new Error(`a silence was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      await delay(5);
    }
    throw new Error('a silence was not answered');
  }

  /** An override for a day. Rules of schedules may refuse it; who is on call is read afterwards in any case. */
  private async handOver(stage: number, to: Name, node: NodeName): Promise<Outcome | { broken: string[] }> {
    const { service, world, acme } = this;
    const now = await service.clock.now(service.db);
    await service.call(node, 'POST', `/api/schedules/${this.scheduleId}/overrides`, {
      headers: this.bearer,
      body: {
        ...{ stage: stage + 1, user: acme.users[to] },
        ...{
          starts_at: String(now.round('millisecond')),
          ends_at: String(now.add({ hours: 24 }).round('millisecond')),
        },
      },
    });
    await this.readShifts(node);
    return { worlds: [world] };
  }

  /** Null, or a description of the error. */
  private async disable(who: Name, node: NodeName): Promise<string | null> {
    const { service, acme } = this;
    for (let tries = 0; tries < RETRIES; tries++) {
      try {
        const url = await service.url(node);
        this.owner ??= await signIn({ db: service.db, clock: service.clock, url, acme }, OWNER);
        const { cookie } = this.owner;
        const answer = await service.call(node, 'POST', `/api/people/${acme.users[who]}/disable`, {
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
          body: {},
        });
        if (answer?.status === 200) return null;
        if (answer && answer.status !== 503)
          return `disabling ${who} was answered ${answer.status}: ${JSON.stringify(answer.body)}`;
      } catch {
        // The node died while Olive signed in.
      }
      await delay(5);
    }
    return `${who} could not be disabled`;
  }

  private async readShifts(node: NodeName): Promise<void> {
    const { world, begunAt } = this;
    const range = new URLSearchParams({
      // The clock may have been set back since.
      'time_range[start]': String(begunAt.subtract({ hours: 24 })),
      'time_range[end]': String(begunAt.add({ hours: 24 * DAYS_PLANNED })),
      per_page: '500',
    });
    const { body } = await this.get(node, `/schedules/${this.scheduleId}/oncalls?${range}`);
    const entries = body.oncalls as {
      stage: number;
      start_time: string;
      end_time: string;
      user: { email: string };
    }[];
    world.shifts = entries.map(({ stage, start_time, end_time, user }) => ({
      ...{ stage, from: this.since(start_time), to: this.since(end_time) },
      who: user.email.split('@')[0] as Name,
    }));
  }

  /** Milliseconds since the history began. */
  private since(time: string): number {
    return Temporal.Instant.from(time).epochMilliseconds - this.begunAt.epochMilliseconds - this.setBy;
  }

  private async wait({ minutes, still, node }: Extract<Act, { act: 'wait' }>): Promise<string[]> {
    const from = this.world.now;
    const until = from + minutes * model.MINUTE;
    while (this.world.now < until) {
      const next = still ? until : await this.nextInstant(from, until);
      this.service.clock.advance({ milliseconds: next - this.world.now });
      this.world.now = next;
      const broken = await this.settled({ worlds: [this.world] }, node);
      if (broken.length > 0) return broken;
    }
    return [];
  }

  /** The next time at which something happens by itself, in a wait that began at `from` and lasts until `until`. */
  private async nextInstant(from: number, until: number): Promise<number> {
    const instant = model.nextInstant(this.world, until);
    const retry = await this.nextDue(sql`d.state = 'retrying'`);
    const onPhone = await this.nextDue(sql`d.state = 'waiting' and d.channel in ('sms', 'voice')`);
    return Math.min(instant, onPhone, retry <= from + LONGEST_RETRY_MS ? retry : instant);
  }

  /** When the next of these notifications is sent, which only the service knows: they failed, or a phone waits for them. */
  private async nextDue(which: RawBuilder<unknown>): Promise<number> {
    const { clock, db } = this.service;
    const now = await clock.now(db);
    const { rows } = await sql<{ at: Temporal.Instant | null }>`
      select min(d.due_at) as at from deliveries d
      where d.organization_id = ${this.acme.id} and d.due_at > ${now} and ${which}`.execute(db);
    const at = rows[0]?.at;
    return at ? this.world.now + at.epochMilliseconds - now.epochMilliseconds : Number.POSITIVE_INFINITY;
  }

  private async withoutDatabase(act: Extract<Act, { act: 'database away' }>): Promise<string[]> {
    const { service } = this;
    const cutOff: NodeName[] = act.of === 'both' ? ['first', 'second'] : [act.of];
    // Both nodes run, so both lose their connections and register again.
    await service.url('first');
    await service.url('second');
    service.databaseIsAway(cutOff);
    this.mayRepeat = true;
    if (act.of === 'both') return this.withoutAnyDatabase(act);
    const other = act.of === 'first' ? 'second' : 'first';
    const broken: string[] = [];
    if (act.during === 'a page') {
      const done = await this.page({
        act: 'page',
        to: 'team',
        urgency: 'high',
        key: null,
        sent: 'once',
        node: act.of,
      });
      broken.push(...('broken' in done ? done.broken : await this.settled(done, other)));
    }
    if (broken.length === 0)
      broken.push(...(await this.wait({ act: 'wait', minutes: act.minutes, still: false, node: other })));
    await service.databaseIsBack();
    return broken.length > 0 ? broken : this.settled({ worlds: [this.world] }, act.of);
  }

  private async withoutAnyDatabase(act: Extract<Act, { act: 'database away' }>): Promise<string[]> {
    const accepted = await this.pageInVain(act);
    await this.service.databaseIsBack();
    return accepted ?? this.settled({ worlds: [this.world] }, act.node);
  }

  private async switchover(act: Extract<Act, { act: 'switchover' }>): Promise<string[]> {
    const { service } = this;
    await service.url('first');
    await service.url('second');
    await service.switchesOver();
    const accepted = await this.pageInVain(act);
    await service.lookInVain();
    await service.switchedOver();
    return accepted ?? this.settled({ worlds: [this.world] }, act.node);
  }

  /** While nothing can be stored, a page is refused and time passes. Returns what was wrong. */
  private async pageInVain({
    during,
    node,
    minutes,
  }: Pick<Extract<Act, { act: 'switchover' }>, 'during' | 'node' | 'minutes'>): Promise<string[] | null> {
    const { service, world } = this;
    const refused =
      during === 'nothing'
        ? null
        : await service.call(node, 'POST', '/page/team', {
            headers: this.bearer,
            body: { title: 'never accepted', text: 'x', recipient: 'sre' },
          });
    service.clock.advance({ seconds: minutes * 60 });
    world.now += minutes * model.MINUTE;
    return refused && refused.status !== 503
      ? [
          `without a database to write to, a page was answered ${refused.status}: ${JSON.stringify(refused.body)}`,
        ]
      : null;
  }

  /** Lets the service and the model do everything that is due, and compares them. */
  private async settled({ worlds }: Outcome, node: NodeName): Promise<string[]> {
    await this.service.settle();
    if (this.service.spare()) this.died();
    for (const world of worlds) {
      model.settle(world);
      world.looks.push(world.now);
    }
    const seen = await this.look(node);
    const arrived = this.takeArrivals();
    const cleared = this.takeAllClears();
    const verdicts = worlds.map((world) => ({
      world,
      broken: compare(world, {
        ...{ seen, arrived, cleared, before: this.arrivals, mayRepeat: this.mayRepeat },
      }),
    }));
    this.arrivals.push(...arrived);
    const good = verdicts.find(({ broken }) => broken.length === 0);
    if (!good) return verdicts[0]?.broken ?? [];
    this.world = good.world;
    return [...this.wrongAtReceiver(), ...this.wrongAnswer()];
  }

  /** Whether the answer to an escalation by hand named exactly the people who are notified. */
  private wrongAnswer(): string[] {
    const { said, world } = this;
    this.said = null;
    const page = world.pages.find(({ title }) => title === said?.title);
    if (!said || !page || page.loose !== null) return [];
    const begun = page.runs.slice(said.runs).filter(({ kind, reachable }) => kind !== 'expired' && reachable);
    const wrong = PEOPLE.filter(
      (who) => begun.some((run) => run.who === who) !== new RegExp(`\\b${who}\\b`, 'i').test(said.message),
    );
    const isSaid = begun.length > 0 || said.message.includes('nobody else');
    return wrong.length === 0 && isSaid
      ? []
      : [
          `an escalation of ${page.title} was answered “${said.message}”, and notified ${begun.map(({ who }) => who).join(', ') || 'nobody'}`,
        ];
  }

  private takeAllClears(): model.AllClear[] {
    return this.service.receiver.over
      .splice(0)
      .filter(({ path }) => path.startsWith(`${this.prefix}/`))
      .map(({ path, body }) => {
        const [, , who, method] = path.split('/');
        return { title: body.title, who: who as Name, method: Number(method) };
      });
  }

  private wrongAtReceiver(): string[] {
    this.service.receiver.inbox.takeAll();
    try {
      this.service.receiver.assertNothingUnexpected();
      return [];
    } catch (error) {
      // A notification that a node of an earlier history was sending when it died may arrive now.
      return (error as Error).message.split('\n').filter((line) => line.includes(` ${this.prefix}/`));
    }
  }

  private async look(node: NodeName): Promise<Seen[]> {
    const { body } = await this.get(node, '/api/pages?state=all&limit=200');
    const pages = body.pages as {
      id: string;
      title: string;
      state: model.State;
      urgency: Seen['urgency'];
      round: number;
      next: { at: string; kind: model.StepKind; stage: number | null; round: number } | null;
      remind_at: string | null;
      acknowledged_by: { email: string } | null;
      notified: { person: { email: string }; stage: number | null; at: string }[];
    }[];
    const named = (email: string) => email.split('@')[0] as Name;
    return pages.map(({ next, remind_at, acknowledged_by, notified, ...page }) => ({
      ...page,
      next: next && { kind: next.kind, stage: next.stage, round: next.round, due: this.since(next.at) },
      remindAt: remind_at === null ? null : this.since(remind_at),
      acknowledgedBy: (acknowledged_by && named(acknowledged_by.email)) as Seen['acknowledgedBy'],
      notified: notified.map(({ person, stage, at }) => ({
        who: named(person.email),
        stage,
        at: this.since(at),
      })),
    }));
  }

  private takeArrivals(): Arrival[] {
    const { receiver, manners } = this.service;
    const taken = receiver.received.splice(0);
    const mails = this.takeMails();
    const onPhones = this.takeFromPhones();
    this.played.notifications += taken.length + mails.length + onPhones.length;
    const called = taken
      .filter(({ path }) => path.startsWith(`${this.prefix}/`))
      .map(({ id, path, body }) => {
        const [, , who, method] = path.split('/');
        return {
          ...{ id, who: who as Name, method: Number(method), title: body.title, at: this.world.now },
          ...{
            type: body.type as Arrival['type'],
            round: body.round,
            stage: body.stage,
            repeat: body.repeat,
          },
          ...{ acknowledgeUrl: body.acknowledge_url, manner: manners.get(path) ?? ('accepts' as const) },
        };
      });
    return [...called, ...mails, ...onPhones];
  }

  private takeFromPhones(): Arrival[] {
    const { messages, calls, ended } = this.service.twilio;
    for (const inbox of [messages, calls, ended]) inbox.takeAll();
    // Twilio has to know a call that is ended later.
    const called = calls.received.slice(this.callsSeen);
    this.callsSeen += called.length;
    return [...messages.received.splice(0), ...called].flatMap((message) => {
      const who = PEOPLE.find((name) => numberOf(this.prefix, name) === message.to);
      return who ? this.fromPhone(who, message) : [];
    });
  }

  /** What a text message or call to this person is about: its page, and others that it names. */
  private fromPhone(who: Name, message: SentSms | PlacedCall): Arrival[] {
    const text = 'body' in message ? message.body : message.twiml;
    const [, title] = /(?:^|[.:] |pause>.*?)(page \d+)/s.exec(text) ?? [];
    if (!title || /^Resolved|have ended/.test(text)) return [];
    const manner = this.world.manners[who];
    const isExpiry = text.includes('Nobody acknowledged: ');
    if (!isExpiry && ARRIVING.includes(manner)) this.onPhones.push({ who, title, message });
    const more = /\d more pages?: (.*)/.exec(text)?.[1] ?? '';
    // A list that is too long for the message is cut.
    const others = /…|\.\.\./.test(more)
      ? this.world.pages.map((page) => page.title)
      : (more.match(/page \d+/g) ?? []);
    const round = text.includes('SRE') ? Number(/round (\d+)/.exec(text)?.[1] ?? 1) : null;
    const stage = /stage ([\d.]+)/.exec(text)?.[1];
    const arrival = {
      ...{
        id: message.sid,
        who,
        method: model.PHONE,
        repeat: text.includes('Sent again'),
        at: this.world.now,
      },
      ...{ manner, acknowledgeUrl: '', isOneOfSeveral: others.length > 0 || /And \d+ more/.test(text) },
      type: isExpiry ? ('page.expired' as const) : ('page.notification' as const),
    };
    return [
      { ...arrival, title, round, stage: stage === undefined ? null : Number(stage) },
      ...others.map((other) => ({
        ...arrival,
        id: `${message.sid} ${other}`,
        title: other,
        round: null,
        stage: null,
      })),
    ];
  }

  private takeMails(): Arrival[] {
    const { messages } = this.service.mail;
    messages.takeAll();
    return messages.received.splice(0).flatMap((mail) => {
      const [who, place] = mail.envelope.to[0]?.split('@') ?? [];
      const [, word, title] = /^\[Tocsin\] (\w+): (page \d+)$/.exec(mail.headers.subject ?? '') ?? [];
      if (place !== `${this.prefix.slice(1)}.example` || !title || word?.toLowerCase() === 'resolved')
        return [];
      const [, whence] = /^Paged through: (.*)$/m.exec(mail.text) ?? [];
      return [
        {
          ...{ id: mail.headers['message-id'] ?? '', who: who as Name, method: model.EMAIL, title },
          type: word === 'expired' ? ('page.expired' as const) : ('page.notification' as const),
          round: whence ? Number(/round (\d+)/.exec(whence)?.[1] ?? 1) : null,
          stage: whence?.includes('stage ') ? Number(/stage ([\d.]+)/.exec(whence)?.[1]) : null,
          repeat: mail.text.includes('Sent again'),
          ...{ at: this.world.now, manner: 'accepts' as const },
          acknowledgeUrl: /^Acknowledge: (\S+)$/m.exec(mail.text)?.[1] ?? '',
        },
      ];
    });
  }
}

/** The phone number of a person of a history. */
function numberOf(prefix: string, who: Name): string {
  return `+49151${prefix.slice(2).padStart(7, '0')}${PEOPLE.indexOf(who)}`;
}

function codeOf({ body }: SentSms): string | undefined {
  return /ACK (\d+)/.exec(body)?.[1];
}

/** The effect of an event that was sent at the same instant as another one. Its page is loose from then on. */
function raced(
  world: model.World,
  key: string,
  { title, urgency, action }: Event & { title: string },
): string {
  const open = model.pageOfKey(world, key);
  const did =
    action === 'trigger'
      ? model.sourceTriggers(world, { title, urgency, key })
      : model.sourceAnswers(world, key, action);
  const page = open ?? model.pageOfKey(world, key);
  if (page) Object.assign(page, { racedAt: world.now, loose: page.loose ?? 'two events raced' });
  return did;
}
