import assert from 'node:assert/strict';
import type { LookupFunction } from 'node:net';
import { describe, it } from 'node:test';
import { aNotification } from '../../../testing/fakes/notification.ts';
import { webhookReceiver } from '../../../testing/fakes/webhook-receiver.ts';
import { PATIENCE_MS } from '../../../testing/patience.ts';
import { isPublicAddress, PrivateAddressError, publicOnlyLookup } from '../../kit/private-addresses.ts';
import type { Outcome } from './channel.ts';
import { webhookChannel } from './webhook/channel.ts';

/** Every known spelling of an internal address. `PORT` becomes that of a server that must never be reached. */
const INSIDE = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f000001:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.255.255.254:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0.1.2.3:PORT/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://168.63.129.16/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fc00::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
];

const addressed = (value: string) => ({ value, signingSecret: null, userId: 'organization_user_1' });
const errorOf = (outcome: Outcome): string => ('error' in outcome ? outcome.error : '');

describe('addresses that are not on the public internet', () => {
  it('are refused in every spelling, without sending a packet', async () => {
    const canary = await webhookReceiver();
    const { port } = new URL(canary.url);
    const channel = webhookChannel({ allowPrivateWebhooks: false });
    for (const template of INSIDE) {
      const url = template.replace('PORT', port);
      const outcome = await channel.send(aNotification(), addressed(url), AbortSignal.timeout(PATIENCE_MS));
      assert.equal(outcome.kind, 'refused', `${url}: ${errorOf(outcome)}`);
      assert.match(errorOf(outcome), /ALLOW_PRIVATE_WEBHOOKS=true/, url);
    }
    assert.equal(canary.received.length, 0);
    await canary.stop();
  });

  it('are reached if the operator allows it', async () => {
    const receiver = await webhookReceiver();
    const channel = webhookChannel({ allowPrivateWebhooks: true });
    const outcome = await channel.send(
      aNotification(),
      addressed(receiver.url),
      AbortSignal.timeout(PATIENCE_MS),
    );
    assert.equal(outcome.kind, 'accepted');
    await receiver.next();
    await receiver.stop();
  });

  it('are refused if a name resolves to one, or to one among others', async () => {
    for (const addresses of [
      ['10.0.0.1'],
      ['93.184.215.14', '127.0.0.1'],
      ['2606:2800:21f:cb07::1', '::1'],
      [],
    ]) {
      const channel = webhookChannel(
        { allowPrivateWebhooks: false },
        resolving(() => addresses),
      );
      const outcome = await channel.send(
        aNotification(),
        addressed('http://example.com/'),
        AbortSignal.timeout(PATIENCE_MS),
      );
      assert.equal(outcome.kind, 'refused', addresses.join());
      assert.match(errorOf(outcome), /leads to example\.com, .*ALLOW_PRIVATE_WEBHOOKS=true/);
    }
  });

  it('cannot be reached through a name that changes: the socket gets the address that was checked', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const asked: string[] = [];
    const lookup = publicOnlyLookup(
      resolving((hostname) => {
        asked.push(hostname);
        return answers[asked.length - 1] ?? [];
      }),
    );
    const first = await looked(lookup, { all: true });
    assert.deepEqual(first, [null, [{ address: '93.184.215.14', family: 4 }]]);
    assert.equal(asked.length, 1, 'no second look-up stands between the check and the connection');
    const [error] = await looked(lookup, { all: false });
    assert.ok(error instanceof PrivateAddressError);
  });

  it('are looked up in the form that the socket requests', async () => {
    const lookup = publicOnlyLookup(resolving(() => ['1.1.1.1', '2606:4700::1111']));
    assert.deepEqual(await looked(lookup, { all: false }), [null, '1.1.1.1', 4]);
  });
});

describe('isPublicAddress', () => {
  it('knows the public internet, including through NAT64', () => {
    for (const address of [
      '1.1.1.1',
      '93.184.215.14',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '64:ff9b::101:101',
    ]) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  it('does not accept an invalid address as public', () => {
    for (const address of ['', 'example.com', '1.2.3.4.5', ':::', '::1%eth0']) {
      assert.equal(isPublicAddress(address), false, address);
    }
  });
});

function looked(lookup: LookupFunction, options: { all: boolean }): Promise<unknown[]> {
  return new Promise((resolve) => lookup('rebinding.example', options, (...results) => resolve(results)));
}

function resolving(answer: (hostname: string) => string[]): LookupFunction {
  return (hostname, _options, callback) => {
    const found = answer(hostname).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, found));
  };
}
