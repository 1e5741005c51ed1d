import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelName } from '../../src/notifications/channels/contract.ts';
import { fakeSlack } from '../../testing/fakes/fake-slack.ts';
import { fakeSmtp } from '../../testing/fakes/fake-smtp.ts';
import { fakeTwilio } from '../../testing/fakes/fake-twilio.ts';
import type { Answer } from '../../testing/fakes/scripted-server.ts';
import { type WebhookReceiver, webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { freePort } from '../../testing/free-port.ts';
import type { PersonSpec } from '../../testing/organization.ts';
import { type Place, percentile, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Faults of a webhook's receiver, each until it recovers. */
const ILLNESSES: Record<string, Answer> = {
  'answers 500': { status: 500 },
  'answers 429': { status: 429, headers: { 'retry-after': '4' } },
  resets: 'reset',
  cuts: 'cut',
  'speaks no HTTP': 'malformed',
  hangs: 'hang',
  'drips headers': 'drip-head',
};
const QUICK = ['answers 500', 'answers 429', 'resets', 'speaks no HTTP'];
/** The next channel must not wait for a request that hangs; it starts at the latest when the request times out. */
const NEXT_CHANNEL_WITHIN_MS = 20_000;
const WELL_AGAIN_WITHIN_MS = 60_000;

const twoWays = (webhook: string, index: number): PersonSpec => ({
  methods: [
    { type: 'webhook', value: webhook },
    { type: 'email', value: `person${index}@example.com` },
  ],
  rules: {
    high: [
      { after: 0, channels: ['webhook'] },
      { after: 30, channels: ['email'] },
    ],
  },
});

/** Each person has a first channel with its own fault, and email half an hour later. */
export const illReceivers: Scenario = {
  name: 'providers',
  promise:
    'receivers answer 500 or 429, cut off, hang, trickle, or do not speak HTTP: the next channel starts, and the first is retried until it works',
  inShortForm: true,
  async run({ short, place }) {
    const smtp = await fakeSmtp();
    const ill: [string, WebhookReceiver][] = [];
    for (const name of short ? QUICK : Object.keys(ILLNESSES)) ill.push([name, await webhookReceiver()]);
    try {
      const people = Object.fromEntries(
        ill.map(([, receiver], index) => [`person${index}`, twoWays(receiver.url, index)]),
      );
      people.nowhere = twoWays('http://nobody.invalid/pages', ill.length);
      const at = await place({ organization: () => ({ people }), env: smtp.env });
      const server = await at.start('all');
      for (const [name, receiver] of ill) receiver.always(ILLNESSES[name] ?? null);
      const begun = performance.now();
      const waits = await Promise.all(
        Object.keys(people).map(async (person, index) => {
          await pageOnce(at, server.url, `${person}@example.com`, person);
          const address = `person${index}@example.com`;
          await smtp.messages.expect(({ envelope }) => envelope.to.includes(address), NEXT_CHANNEL_WITHIN_MS);
          return performance.now() - begun;
        }),
      );
      await delay(1_000);
      const broken: string[] = [];
      for (const [name, receiver] of ill) {
        receiver.always(null);
        receiver.inbox.takeAll();
        const got = await receiver.next(WELL_AGAIN_WITHIN_MS).catch(() => null);
        if (!got) broken.push(`a receiver that ${name} was given up`);
        else broken.push(...tooSoon(name, receiver));
      }
      return {
        figures: { receivers: ill.length + 1, 'next channel after, slowest': seconds(percentile(waits, 1)) },
        broken: [...broken, ...at.logged()],
      };
    } finally {
      for (const [, receiver] of ill) await receiver.stop();
      await smtp.stop();
    }
  },
};

/** A receiver that sends Retry-After must get no request before that time. */
function tooSoon(name: string, { received }: WebhookReceiver): string[] {
  if (name !== 'answers 429') return [];
  const gaps = received.slice(1).map(({ at }, index) => at.getTime() - (received[index]?.at.getTime() ?? 0));
  return gaps
    .filter((gap) => gap < 4_000)
    .map((gap) => `Retry-After was 4 s; it was asked again after ${gap} ms`);
}

/** Providers that answer 200 with an error, mail that is deferred, and receipts that are repeated and out of order. */
export const lyingProviders: Scenario = {
  name: 'lies',
  promise:
    'Slack and Twilio answer 200 with an error inside, email is greylisted, and receipts come twice and in reverse',
  async run({ place }) {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const [smtp, slack, twilio] = [
      await fakeSmtp(),
      await fakeSlack({ publicUrl }),
      await fakeTwilio({ publicUrl }),
    ];
    try {
      const only = (methods: PersonSpec['methods'], channel: ChannelName): PersonSpec => ({
        methods: methods ?? [],
        rules: { high: [{ after: 0, channels: [channel] }] },
      });
      const people = {
        ada: only([{ type: 'chat', value: 'ada', chatUserId: 'U024BE7LH' }], 'chat'),
        grace: only([{ type: 'phone', value: '+15005550006' }], 'sms'),
        linus: only([{ type: 'email', value: 'linus@example.com' }], 'email'),
      };
      const env = { ...smtp.env, ...slack.env, ...twilio.env };
      const at = await place({ organization: () => ({ people }), env });
      const server = await at.start('all', {}, port);
      slack.script({
        status: 200,
        body: '{"ok":false,"error":"internal_error"}',
        headers: { 'content-type': 'application/json' },
      });
      twilio.script({
        status: 200,
        body: '{"code":20429,"message":"Too many requests","status":429}',
        headers: { 'content-type': 'application/json' },
      });
      smtp.script({ at: 'rcpt', code: 450, message: '4.2.0 greylisted, come again' });
      const requests = await Promise.all(
        Object.keys(people).map((person) => pageOnce(at, server.url, `${person}@example.com`, person)),
      );
      await smtp.messages.next(30_000);
      await slack.messages.next(30_000);
      // The first message of each was refused with a 200, and is in the inbox as well.
      await slack.messages.next(30_000);
      await twilio.messages.next(30_000);
      const sms = await twilio.messages.next(30_000);
      for (const state of ['delivered', 'sent', 'queued', 'delivered']) await twilio.receipt(sms, state);
      const states = await Promise.all(requests.map((id) => deliveriesOf(at, server.url, id)));
      const [chat, phone, mail] = states.map((all) => all.join(' '));
      const broken: string[] = [];
      if (chat !== 'accepted') broken.push(`after a lie of Slack the message is ${chat}`);
      // The call was made when the first SMS failed.
      if (!phone?.startsWith('delivered'))
        broken.push(`after receipts twice and backwards the SMS is ${phone}`);
      if (mail !== 'accepted') broken.push(`after greylisting the mail is ${mail}`);
      broken.push(...at.logged());
      return { figures: { chat: chat ?? '', sms: phone ?? '', mail: mail ?? '' }, broken };
    } finally {
      await Promise.all([smtp.stop(), slack.stop(), twilio.stop()]);
    }
  },
};

async function pageOnce(at: Place, url: string, recipient: string, title: string): Promise<string> {
  const answer = await fetch(`${url}/page/person`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.cluster.acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient, title, text: 'x', urgency: 'high' }),
  });
  const body = (await answer.json()) as { service_request_id: string };
  if (answer.status !== 200)
    throw new Error(`the page was answered ${answer.status}: ${JSON.stringify(body)}`);
  return body.service_request_id;
}

/** The states of deliveries, once all are final. */
async function deliveriesOf(at: Place, url: string, requestId: string): Promise<string[]> {
  for (const deadline = performance.now() + 15_000; ; await delay(100)) {
    const answer = await fetch(`${url}/request/${requestId}/status`, {
      headers: { authorization: `Bearer ${at.cluster.acme.key}` },
    });
    const { response } = (await answer.json()) as { response: { page: { deliveries: { state: string }[] } } };
    const states = response.page.deliveries.map(({ state }) => state);
    const moving = states.some((state) => ['waiting', 'sending', 'retrying'].includes(state));
    if (!moving || performance.now() > deadline) return states;
  }
}
