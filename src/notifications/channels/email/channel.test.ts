import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeSmtp, fakeSmtp, type MailAnswer } from '../../../../testing/fakes/fake-smtp.ts';
import { aNotification, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import { channelContract, type Situation } from '../channel.contract.ts';
import type { Outcome } from '../channel.ts';
import { emailChannel } from './channel.ts';
import { SMTP } from './settings.ts';

const ANSWERS: Partial<Record<Situation, MailAnswer>> = {
  'refused for good': { at: 'rcpt', code: 550, message: 'no such user' },
  'refused for now': { at: 'rcpt', code: 451, message: 'greylisted' },
  'slow but in time': { at: 'data', delayMs: 100 },
  hanging: { at: 'data', fault: 'hang' },
  'reset mid-answer': { at: 'data', fault: 'cut' },
  'malformed answer': { at: 'data', fault: 'malformed' },
  'endless answer': { at: 'data', fault: 'endless' },
  'wrong credentials': { at: 'auth', code: 535, message: 'authentication failed' },
};

const ADA = { value: 'ada@example.com', userId: 'organization_user_1' };

channelContract('email', {
  async open() {
    const server = await fakeSmtp();
    const gone = await fakeSmtp();
    await gone.stop();
    const smtp = { ...server.settings };
    return {
      channel: emailChannel({ smtp }),
      address: ADA,
      arrange(situation) {
        smtp.url = situation === 'connection refused' ? gone.url : server.url;
        const answer = ANSWERS[situation];
        if (answer) server.script(answer);
      },
      check() {
        server.messages.takeAll();
        server.assertNothingUnexpected();
      },
      stop: () => server.stop(),
    };
  },
  unconfigured: emailChannel({ smtp: null }),
  unlike: {
    'refused for now': {
      because: 'SMTP cannot ask for a delay',
      ending: { kind: 'retry', maybeSent: false },
    },
    'dripping answer': { because: 'an SMTP answer that never ends is the endless one', ending: null },
  },
});

describe('email', () => {
  let server: FakeSmtp;
  before(async () => {
    server = await fakeSmtp();
  });
  after(async () => {
    server.assertNothingUnexpected();
    await server.stop();
  });
  const send = (notification = aNotification(), value = ADA.value, timeoutMs = 5_000): Promise<Outcome> =>
    emailChannel({ smtp: server.settings }).send(
      notification,
      { ...ADA, value },
      AbortSignal.timeout(timeoutMs),
    );

  it('has the intended headers, whatever a title or an address contains', async () => {
    const evil = 'Disk\r\nBcc: eve@example.com\r\n\r\nhello';
    await send(aNotification({ title: evil, pageUrl: `https://tocsin.example/\r\nX-Evil: 1` }));
    const mail = await server.messages.next();
    assert.deepEqual(mail.envelope.to, ['ada@example.com']);
    assert.deepEqual([mail.headers.bcc, mail.headers['x-evil']], [undefined, undefined]);
    const outcome = await send(aNotification(), 'ada@example.com\r\nRCPT TO:<eve@example.com>');
    if (outcome.kind === 'accepted')
      assert.equal((await server.messages.next()).envelope.to.join().includes('eve@'), false);
  });

  it('contains the subject, the recipient, and how to answer', async () => {
    const outcome = await send(aNotification({ round: 2 }));
    assert.deepEqual(outcome, {
      kind: 'accepted',
      providerId: 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np@tocsin.example',
    });
    const mail = await server.messages.next();
    assert.deepEqual(mail.envelope, { from: 'tocsin@tocsin.example', to: ['ada@example.com'] });
    assert.equal(mail.headers.subject, '[Tocsin] high: Disk full on db-1');
    assert.equal(mail.headers.from, 'Tocsin <tocsin@tocsin.example>');
    assert.equal(mail.headers.to, 'ada@example.com');
    assert.equal(mail.headers['auto-submitted'], 'auto-generated');
    assert.equal(mail.headers['x-tocsin-page'], 'page_01jd3v8k2ye2a9h5q7x0w4m6np');
    assert.equal(mail.headers['x-tocsin-delivery'], 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np');
    assert.equal(mail.headers.references, '<page_01jd3v8k2ye2a9h5q7x0w4m6np@tocsin.example>');
    assert.match(mail.text, /^Disk full on db-1\n\nThe disk of db-1 is at 99 % and fills up in 20 minutes\./);
    assert.match(mail.text, /^Acknowledge: https:\/\/tocsin\.example\/a\/3kTq9hX0a1b2c3d4e5f6g7$/m);
    assert.match(mail.text, /^More about it: https:\/\/grafana\.example\/alerts\/17$/m);
    assert.match(mail.text, /^Paged through: Site Reliability, stage 1, round 2$/m);
    assert.match(
      mail.html,
      /<a [^>]*href="https:\/\/tocsin\.example\/a\/3kTq9hX0a1b2c3d4e5f6g7">Acknowledge<\/a>/,
    );
  });

  it('keeps its message id for all attempts of one delivery', async () => {
    server.script({ at: 'data', code: 451 });
    assert.equal((await send(aNotification({ attempt: 1 }))).kind, 'retry');
    assert.equal((await send(aNotification({ attempt: 2 }))).kind, 'accepted');
    const [first, second] = [await server.messages.next(), await server.messages.next()];
    assert.equal(first.headers['message-id'], second.headers['message-id']);
  });

  it('marks repeats and bundles in words', async () => {
    await send(aNotification({ repeat: true, bundled: THREE_MORE }));
    const mail = await server.messages.next();
    assert.equal(mail.headers.subject, '[Tocsin] high: Disk full on db-1 (and 3 more pages)');
    assert.match(mail.text, /^Sent again: you may have had this message before\.$/m);
    assert.match(mail.text, /3 more pages:\n- Queue stuck\n- Backups late\n- Certificate expires/);
  });

  it('does not offer to acknowledge an expired page', async () => {
    await send(aNotification({ type: 'page.expired', stage: null }));
    const mail = await server.messages.next();
    assert.equal(mail.headers.subject, '[Tocsin] expired: Disk full on db-1');
    assert.match(mail.text, /^Nobody acknowledged: Disk full on db-1/);
    assert.doesNotMatch(mail.text + mail.html, /3kTq9hX0a1b2c3d4e5f6g7/);
  });

  it('lets no title, text or identifier add a header', async () => {
    const evil = 'Disk full\r\nBcc: eve@example.com\r\n\r\nInjected: yes\u2028\u0000';
    await send(
      aNotification({
        title: evil,
        text: evil,
        team: { name: evil, slug: 'sre' },
        deliveryId: 'delivery_1\r\nBcc: eve@example.com',
        pageId: 'page_1\r\nBcc: eve@example.com',
        sourceUrl: 'https://grafana.example/\r\nBcc: eve@example.com',
      }),
    );
    const mail = await server.messages.next();
    assert.deepEqual(mail.envelope.to, ['ada@example.com']);
    assert.equal(mail.headers.bcc, undefined);
    assert.equal(mail.headers.injected, undefined);
    assert.equal(mail.headers.subject, '[Tocsin] high: Disk full Bcc: eve@example.com Injected: yes');
  });

  it('writes to only one mailbox, whatever the address contains', async () => {
    const addresses = [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nRCPT TO:<eve@example.com>',
      'Ada <ada@example.com>',
      '"x" eve@example.com;ada@example.com',
      'ada',
      '',
    ];
    for (const value of addresses) assert.equal((await send(aNotification(), value)).kind, 'refused', value);
  });

  it("escapes strangers' text in its HTML", async () => {
    await send(
      aNotification({ title: '<img src=x onerror=alert(1)>', text: '</p><script>alert("1")</script>' }),
    );
    const { html, text } = await server.messages.next();
    assert.doesNotMatch(html, /<img|<script/);
    assert.match(html, /&lt;script&gt;alert\(&quot;1&quot;\)/);
    assert.match(text, /<script>alert\("1"\)<\/script>/);
  });

  it('supports every language', async () => {
    await send(aNotification({ title: '磁盘已满 💾 – Größe', text: 'Überlauf: 你好 👩🏽‍🚒' }));
    const mail = await server.messages.next();
    assert.equal(mail.headers.subject, '[Tocsin] high: 磁盘已满 💾 – Größe');
    assert.match(mail.text, /Überlauf: 你好 👩🏽‍🚒/);
  });

  it('knows that nothing was sent if the server hangs before it accepts the message', async () => {
    for (const at of ['connect', 'auth', 'mail', 'rcpt'] as const) {
      server.script({ at, fault: 'hang' });
      const outcome = await send(aNotification(), ADA.value, 400);
      assert.deepEqual([outcome.kind, 'maybeSent' in outcome && outcome.maybeSent], ['retry', false], at);
    }
  });

  it('distinguishes a refused sender or connection from a refused recipient', async () => {
    server.script({ at: 'mail', code: 553 }, { at: 'rcpt', code: 553 }, { at: 'connect', code: 554 });
    const [sender, recipient, greeting] = [await send(), await send(), await send()];
    assert.equal(greeting.kind === 'refused' && greeting.problem?.code, 'misconfigured');
    assert.equal(sender.kind === 'refused' && sender.problem?.code, 'misconfigured');
    assert.equal(recipient.kind === 'refused' && recipient.problem, undefined);
  });

  it('retries a sign-in that is refused temporarily', async () => {
    server.script({ at: 'auth', code: 454 }, { at: 'connect', code: 421 });
    assert.equal((await send()).kind, 'retry');
    assert.equal((await send()).kind, 'retry');
  });

  it('names the wrong setting if the sender is not an address', () => {
    for (const from of ['Tocsin', 'Tocsin <tocsin>', 'a@example.com, b@example.com', 'Tocsin <a@b;c>'])
      assert.throws(
        () => SMTP.read((name) => (name === 'SMTP_URL' ? server.url : from)),
        /SMTP_FROM is not an email address/,
      );
  });
});
