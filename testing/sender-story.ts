import assert from 'node:assert/strict';
import type { MomentDetail, MomentSummary } from '../src/moments/api-contract.ts';
import type { PageSummary } from '../src/pages/api-contract.ts';
import type { CallShown } from '../src/webhooks/call-contract.ts';
import { eventually } from './eventually.ts';
import { signIn } from './signed-in.ts';
import { type Story, story, webhookPeople } from './story.ts';

/** A running service with one webhook, and the moments and calls that it received. */
export type SenderStory = {
  story: Story;
  /** The URL for the sender. */
  url: string;
  /** Creates a webhook of another type and returns its URL. */
  another(type: string): Promise<string>;
  moments(): Promise<MomentSummary[]>;
  /** The only moment. */
  moment(): Promise<MomentDetail['moment']>;
  notifications(): Promise<CallShown[]>;
  /** Waits until this number of calls has been received and processed. */
  received(count: number): Promise<void>;
  /** Waits until the moments are in these states. */
  states(...expected: string[]): Promise<void>;
  /** Creates a page source of this type and returns its URL. */
  source(type: string): Promise<string>;
  /** Waits until the pages are in these states, and returns them, the newest first. */
  pages(...expected: string[]): Promise<PageSummary[]>;
};

export async function senderStory(type: string): Promise<SenderStory> {
  const t = await story({
    automatic: true,
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
  await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
  const ada = await signIn(t, 'ada');
  const another = async (wanted: string): Promise<string> => {
    const made = await ada.call('POST', '/api/webhooks', { team: 'sre', type: wanted, name: wanted });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.url;
  };
  const url = await another(type);

  const moments = async (): Promise<MomentSummary[]> => (await ada.call('GET', '/api/moments')).body.moments;
  const notifications = async (): Promise<CallShown[]> =>
    (await ada.call('GET', '/api/notifications')).body.notifications;
  const done = async () => (await notifications()).filter(({ state }) => state !== 'queued').length;

  return {
    ...{ story: t, url, another, moments, notifications },
    async moment() {
      const [only, ...others] = await moments();
      assert.ok(only && others.length === 0, 'one moment is expected');
      return (await ada.call('GET', `/api/moments/${only.id}`)).body.moment;
    },
    received: (count) => eventually(async () => (await done()) >= count, true),
    states: (...expected) => eventually(async () => (await moments()).map(({ state }) => state), expected),
    async source(wanted) {
      const made = await ada.call('POST', '/api/sources', { team: 'sre', type: wanted, name: wanted });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.url;
    },
    async pages(...expected) {
      const listed = async (): Promise<PageSummary[]> =>
        (await ada.call('GET', '/api/pages?state=all')).body.pages;
      await eventually(async () => (await listed()).map(({ state }) => state), expected);
      t.receiver.inbox.takeAll();
      return listed();
    },
  };
}
