import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aNotification } from '../../../../testing/fakes/notification.ts';
import { channelContract } from '../channel.contract.ts';
import { webhookBody } from '../webhook/channel.ts';
import { browserChannel, openDashboards } from './channel.ts';

const ADA = { value: 'browser', userId: 'organization_user_1' };
const { deliveryId } = aNotification();
const noNetwork = { because: 'there is no network in between', ending: null } as const;

channelContract('browser', {
  async open() {
    const dashboards = openDashboards();
    const confirm = () => dashboards.confirm(deliveryId, ADA.userId);
    let close = () => {};
    return {
      channel: browserChannel(dashboards, 300),
      address: ADA,
      arrange(situation) {
        close();
        close = () => {};
        if (situation === 'refused for good') return;
        close = dashboards.open(ADA.userId, {
          write() {
            if (situation === 'accepted') confirm();
            if (situation === 'slow but in time') setTimeout(confirm, 100);
          },
        });
      },
      check() {},
      async stop() {
        close();
      },
    };
  },
  unconfigured: null,
  unlike: {
    'refused for now': noNetwork,
    'connection refused': noNetwork,
    'reset mid-answer': noNetwork,
    'malformed answer': noNetwork,
    'dripping answer': noNetwork,
    'endless answer': noNetwork,
    'wrong credentials': noNetwork,
  },
});

describe('browser', () => {
  const send = (dashboards = openDashboards(), signal = AbortSignal.timeout(2_000)) =>
    browserChannel(dashboards, 100).send(aNotification(), ADA, signal);

  it('writes one server-sent event to every dashboard of the person, and to no other', async () => {
    const dashboards = openDashboards();
    const written: [string, string][] = [];
    dashboards.open(ADA.userId, { write: (text) => written.push(['phone', text]) });
    dashboards.open(ADA.userId, {
      write(text) {
        written.push(['desk', text]);
        assert.equal(dashboards.confirm(deliveryId, ADA.userId), true);
      },
    });
    dashboards.open('organization_user_2', { write: (text) => written.push(['somebody else', text]) });
    assert.deepEqual(await send(dashboards), { kind: 'accepted', providerId: null });
    const event = `event: notification\nid: ${deliveryId}\ndata: ${JSON.stringify(webhookBody(aNotification()))}\n\n`;
    assert.deepEqual(written, [
      ['phone', event],
      ['desk', event],
    ]);
  });

  it('is refused when no dashboard is open or all have closed', async () => {
    const dashboards = openDashboards();
    const close = dashboards.open(ADA.userId, { write: () => {} });
    close();
    close();
    assert.deepEqual(await send(dashboards), { kind: 'refused', error: 'No dashboard is open.' });
  });

  it('reaches the others if one stream is broken', async () => {
    const dashboards = openDashboards();
    dashboards.open(ADA.userId, {
      write() {
        throw new Error('gone');
      },
    });
    dashboards.open(ADA.userId, { write: () => dashboards.confirm(deliveryId, ADA.userId) });
    assert.equal((await send(dashboards)).kind, 'accepted');
  });

  it('accepts a confirmation once, in time, and only from the person', async () => {
    const dashboards = openDashboards();
    const answers: boolean[] = [];
    assert.equal(dashboards.confirm(deliveryId, ADA.userId), false, 'before anything was sent');
    dashboards.open(ADA.userId, {
      write() {
        answers.push(dashboards.confirm(deliveryId, 'organization_user_2'));
        answers.push(dashboards.confirm('delivery_2', ADA.userId));
      },
    });
    assert.equal((await send(dashboards)).kind, 'retry');
    assert.deepEqual(answers, [false, false]);
    assert.equal(dashboards.confirm(deliveryId, ADA.userId), false, 'too late');
  });
});
