import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../../testing/patience.ts';
import { CHANNELS } from './channel.ts';
import type { Message } from './message.ts';
import { buildChannels, type ChannelSettings, readProviders } from './registry.ts';

const NOTHING: ChannelSettings = {
  ...readProviders(() => null),
  vapid: { publicKey: 'public', privateKey: 'private', subject: 'mailto:operator@tocsin.example' },
  allowPrivateWebhooks: false,
  publicUrl: 'https://tocsin.example',
};

describe('buildChannels', () => {
  it('creates every channel; push, webhook and browser work without any provider', () => {
    const { channels } = buildChannels(NOTHING);
    assert.deepEqual(Object.keys(channels).sort(), [...CHANNELS].sort());
    for (const name of CHANNELS) assert.equal(channels[name].name, name);
    const usable = CHANNELS.filter((name) => channels[name].unavailable === null);
    assert.deepEqual(usable, ['push', 'webhook', 'browser']);
  });

  it('accepts everything and delivers nothing when it is muted', async () => {
    const { channels } = buildChannels({ ...NOTHING, mute: true });
    const content: Message = {
      ...{ type: 'test', id: 'message_1', kind: null, code: null, url: null },
      ...{ subject: 'Hello', text: 'Nobody hears this.', sentAt: Temporal.Now.instant() },
    };
    for (const name of ['sms', 'voice', 'chat', 'email'] as const) {
      assert.equal(channels[name].unavailable, null);
      const address = { value: 'ada@example.com', userId: 'organization_user_1' };
      const outcome = await channels[name].send(content, address, AbortSignal.timeout(PATIENCE_MS));
      assert.equal(outcome.kind, 'accepted');
    }
  });

  it('loads no client library before the first message', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const heavy = /^(twilio|@slack\\/web-api|nodemailer|web-push)(\\/|$)/;
      registerHooks({ resolve(name, context, next) {
        if (heavy.test(name)) console.log(name);
        return next(name, context);
      } });
      const { buildChannels } = await import(${JSON.stringify(import.meta.resolve('./registry.ts'))});
      buildChannels(${JSON.stringify(NOTHING)});
    `;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(stdout, '');
  });
});
