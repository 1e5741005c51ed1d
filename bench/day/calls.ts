import type { Random } from '../../faults/random.ts';
import type { Client } from './client.ts';
import { slug, TEAMS } from './organization.ts';
import { type Call, custom, type Phase, SENDERS, type Sender, type Thing } from './senders.ts';

/** The calls about one thing, and therefore the expected state of its moment. */
export type Told = Thing & { calls: number; resolved: boolean };

export type Calls = {
  told: Map<number, Told>;
  accepted: number;
  /** Calls that were sent again with the same delivery id; they must change nothing. */
  repeated: number;
  refused: number;
  /** Sends one call of any kind. */
  send(): Promise<void>;
  /** Sends one call that opens a moment; storms consist of these. */
  alarm(): Promise<void>;
};

type Webhook = { sender: Sender; path: string };
type Running = Told & { webhook: Webhook; last: Call | null };

/** Creates webhooks of every type for two teams, and keeps track of the calls that they receive. */
export async function createCalls(client: Client, command: Command, random: Random): Promise<Calls> {
  const webhooks: Webhook[] = [];
  for (const sender of [...SENDERS, ...SENDERS])
    webhooks.push(await makeWebhook(command, sender, webhooks.length));
  const customs = [await makeWebhook(command, custom, 0), await makeWebhook(command, custom, 1)];
  /** Things without a call in flight: calls about one thing are sent in order. */
  const idle: Running[] = [];
  let number = 0;

  function begin(webhook: Webhook): Running {
    const thing = {
      ...{ number: ++number, host: `db-${Math.floor(random.between(1, 400))}`, beganAt: new Date() },
      ...{ calls: 0, resolved: false, webhook, last: null },
    };
    calls.told.set(thing.number, thing);
    return thing;
  }

  async function deliver(call: Call): Promise<boolean> {
    const { status } = await client.call(call.path, call.body, call.headers);
    if (status === 200) calls.accepted++;
    else calls.refused++;
    return status === 200;
  }

  async function tell(thing: Running, phase: Phase): Promise<void> {
    const { sender, path } = thing.webhook;
    const call = { path, ...sender.call(thing, phase, new Date()) };
    thing.last = call;
    if (await deliver(call)) thing.calls++;
    if (phase === 'resolve') thing.resolved = true;
    else if (sender !== custom) idle.push(thing);
  }

  async function again(thing: Running): Promise<void> {
    if (thing.last && (await deliver(thing.last))) calls.repeated++;
    idle.push(thing);
  }

  function takeIdle(): Running | null {
    if (idle.length === 0) return null;
    const place = Math.floor(random.between(0, idle.length));
    const thing = idle[place];
    const last = idle.at(-1);
    if (!thing || !last) return null;
    idle[place] = last;
    idle.pop();
    return thing;
  }

  const calls: Calls = {
    ...{ told: new Map(), accepted: 0, repeated: 0, refused: 0 },
    async send() {
      const dice = random.between(0, 1);
      if (dice < 0.05) return tell(begin(random.pick(customs)), 'open');
      const known = dice > 0.25 ? takeIdle() : null;
      if (!known) return calls.alarm();
      if (dice > 0.95 && known.webhook.sender.type === 'github') return again(known);
      return tell(known, dice > 0.75 ? 'resolve' : 'repeat');
    },
    alarm: () => tell(begin(random.pick(webhooks)), 'open'),
  };
  return calls;
}

type Command = (...args: string[]) => Promise<string>;

async function makeWebhook(command: Command, sender: Sender, n: number): Promise<Webhook> {
  const { type } = sender;
  const team = slug(n % TEAMS);
  const url = await command('webhook', 'create', '--team', team, '--name', `${type} ${n}`, '--type', type);
  return { sender, path: new URL(url).pathname };
}
