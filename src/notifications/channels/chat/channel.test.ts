import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack } from '../../../../testing/fakes/fake-slack.ts';
import { aNotification, aResolution, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import type { Answer } from '../../../../testing/fakes/scripted-server.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { channelContract, type Situation } from '../channel.contract.ts';
import type { Address, Outcome, Resolution } from '../channel.ts';
import { chatChannel } from './channel.ts';

const says = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

const ANSWERS: Partial<Record<Situation, Answer>> = {
  'refused for good': says({ ok: false, error: 'channel_not_found' }),
  'refused for now': {
    status: 429,
    headers: { 'retry-after': '7' },
    body: '{"ok":false,"error":"ratelimited"}',
  },
  'slow but in time': { delayMs: 100 },
  hanging: 'hang',
  'reset mid-answer': 'cut',
  'malformed answer': { status: 200, body: '<html>fine</html>' },
  'dripping answer': 'drip',
  'endless answer': 'endless',
  'wrong credentials': says({ ok: false, error: 'invalid_auth' }),
};

const ADA: Address = { value: 'ada', chatUserId: 'U024BE7LH', userId: 'organization_user_1' };

channelContract('chat', {
  async open() {
    const slack = await fakeSlack();
    const gone = await fakeSlack();
    await gone.stop();
    const settings = { ...slack.settings };
    return {
      channel: chatChannel({ slack: settings }),
      address: ADA,
      arrange(situation) {
        settings.apiUrl = situation === 'connection refused' ? gone.settings.apiUrl : slack.settings.apiUrl;
        const answer = ANSWERS[situation];
        if (answer) slack.script(answer);
      },
      check() {
        slack.messages.takeAll();
        slack.assertNothingUnexpected();
      },
      stop: () => slack.stop(),
    };
  },
  unconfigured: chatChannel({ slack: null }),
});

describe('chat', () => {
  let slack: FakeSlack;
  before(async () => {
    slack = await fakeSlack();
  });
  after(async () => {
    slack.assertNothingUnexpected();
    await slack.stop();
  });
  const send = (notification = aNotification(), address = ADA): Promise<Outcome> =>
    chatChannel({ slack: slack.settings }).send(notification, address, AbortSignal.timeout(PATIENCE_MS));

  it('writes to the person, with buttons that carry the delivery', async () => {
    const outcome = await send();
    const message = await slack.messages.next();
    assert.deepEqual(outcome, { kind: 'accepted', providerId: `D024BE7LH:${message.ts}` });
    assert.equal(message.channel, 'U024BE7LH');
    assert.equal(message.text, 'Disk full on db-1 (high urgency)');
    const [header, section, context, actions] = message.blocks;
    assert.equal(header?.text?.text, 'Disk full on db-1');
    assert.equal(section?.text?.text, 'The disk of db-1 is at 99 % and fills up in 20 minutes.');
    assert.deepEqual(
      context?.elements?.map((element) => element.text),
      ['high urgency', 'Site Reliability, stage 1'],
    );
    assert.deepEqual(
      actions?.elements?.map(({ action_id, value, url }) => [action_id, value ?? url]),
      [
        ['acknowledge', 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np'],
        ['escalate', 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np'],
        ['open_page', 'https://tocsin.example/pages/page_01jd3v8k2ye2a9h5q7x0w4m6np'],
        ['open_source', 'https://grafana.example/alerts/17'],
      ],
    );
  });

  it('mentions nobody and links nowhere, whatever a stranger wrote', async () => {
    await send(
      aNotification({ title: '<!channel> <https://evil.example|click> & co', text: '<@U1> *bold*' }),
    );
    const message = await slack.messages.next();
    assert.equal(message.text, '&lt;!channel&gt; &lt;https://evil.example|click&gt; &amp; co (high urgency)');
    const types = message.blocks.flatMap((block) => (block.text ? [block.text.type] : []));
    assert.deepEqual(types, ['plain_text', 'plain_text']);
  });

  it('stays within the limits of Slack', async () => {
    const long = '👩🏽‍🚒 é'.repeat(2_000);
    const bundled = Array.from({ length: 40 }, (_, index) => ({
      pageId: `page_${index}`,
      title: long.slice(0, 200),
    }));
    await send(
      aNotification({
        title: long.slice(0, 200),
        text: long,
        bundled,
        sourceUrl: `https://x.example/${'y'.repeat(2_000)}`,
      }),
    );
    const message = await slack.messages.next();
    assert.ok(message.blocks.every((block) => block.text === undefined || block.text.text.isWellFormed()));
  });

  it('marks repeats and bundles in words', async () => {
    await send(aNotification({ repeat: true, bundled: THREE_MORE, text: ' ' }));
    const { blocks } = await slack.messages.next();
    assert.deepEqual(
      blocks[1]?.elements?.map((element) => element.text),
      [
        'high urgency',
        'Site Reliability, stage 1',
        '3 more pages: Queue stuck; Backups late; Certificate expires',
        'Sent again: you may have had this message before.',
      ],
    );
  });

  it('edits the message of an ended page: it names the resolver and has no buttons', async () => {
    const sent = await send();
    const message = await slack.messages.next();
    const edit = (overrides: Partial<Resolution> = {}) =>
      chatChannel({ slack: slack.settings }).resolve?.(
        aResolution({ providerId: sent.kind === 'accepted' ? sent.providerId : null, ...overrides }),
        ADA,
        AbortSignal.timeout(PATIENCE_MS),
      );
    assert.equal((await edit({ by: '<!channel> & co' }))?.kind, 'accepted');
    const edited = await slack.edited.next();
    assert.deepEqual([edited.ts, edited.channel], [message.ts, 'D024BE7LH']);
    assert.equal(edited.text, 'Resolved by &lt;!channel&gt; &amp; co. Disk full on db-1 (high urgency)');
    assert.deepEqual(
      edited.blocks.at(-1)?.elements?.map(({ action_id }) => action_id),
      ['open_page', 'open_source'],
    );
    await edit({ notification: aNotification({ bundled: THREE_MORE }), by: null });
    assert.match((await slack.edited.next()).text, /^All 4 pages in this message have ended\./);
    for (const error of ['message_not_found', 'edit_window_closed', 'cant_update_message']) {
      slack.script(says({ ok: false, error }));
      const outcome = await edit();
      assert.deepEqual([outcome?.kind, outcome && 'problem' in outcome], ['refused', false], error);
      await slack.edited.next();
    }
    assert.equal((await edit({ providerId: null }))?.kind, 'refused');
  });

  it('shows the links as text if Slack does not accept them in buttons', async () => {
    slack.script(says({ ok: false, error: 'invalid_blocks' }));
    const outcome = await send(aNotification({ sourceUrl: 'http://prometheus:9090/graph' }));
    assert.equal(outcome.kind, 'accepted');
    await slack.messages.next();
    const { blocks } = await slack.messages.next();
    assert.deepEqual(
      blocks.flatMap(({ elements = [] }) => elements).flatMap(({ action_id: id }) => (id ? [id] : [])),
      ['acknowledge', 'escalate'],
    );
    assert.equal(
      blocks.at(-2)?.text?.text,
      'Open the page: https://tocsin.example/pages/page_01jd3v8k2ye2a9h5q7x0w4m6np\nMore about it: http://prometheus:9090/graph',
    );
    slack.script(says({ ok: false, error: 'invalid_blocks' }), says({ ok: false, error: 'invalid_blocks' }));
    assert.equal((await send()).kind, 'refused');
    slack.messages.takeAll();
  });

  it("needs the person's Slack user id", async () => {
    const outcome = await send(aNotification(), { ...ADA, chatUserId: null });
    assert.match(outcome.kind === 'refused' ? outcome.error : '', /chat_user_id/);
  });

  it("distinguishes a failure of our app from a failure of the person's address", async () => {
    const cases: [error: string, kind: Outcome['kind'], problem: string | undefined][] = [
      ['channel_not_found', 'refused', undefined],
      ['user_not_found', 'refused', undefined],
      ['account_inactive', 'refused', 'credentials'],
      ['token_revoked', 'refused', 'credentials'],
      ['missing_scope', 'refused', 'misconfigured'],
      ['ratelimited', 'retry', 'rate_limited'],
      ['internal_error', 'retry', 'unreachable'],
      ['something_new', 'refused', undefined],
    ];
    for (const [error, kind, problem] of cases) {
      slack.script(says({ ok: false, error }));
      const outcome = await send();
      assert.equal(outcome.kind, kind, error);
      assert.equal('problem' in outcome ? outcome.problem?.code : undefined, problem, error);
      await slack.messages.next();
    }
  });

  it('does not mistake an odd status for an answer', async () => {
    const kinds = { 204: 'retry', 302: 'refused', 404: 'refused', 500: 'retry', 503: 'retry' } as const;
    for (const [status, kind] of Object.entries(kinds)) {
      slack.script({ status: Number(status), headers: { location: 'https://evil.example/' }, body: '' });
      assert.equal((await send()).kind, kind, status);
      await slack.messages.next();
    }
  });
});
