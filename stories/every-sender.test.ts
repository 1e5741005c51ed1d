/**
 * Every integration over HTTP, with the service working by itself: all calls about one problem result in one moment.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { samplesOf } from '../src/moments/integrations/adapter.contract.ts';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';
import { STORIES } from '../testing/moments/stories.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type Shown = { id: string; name: string; state: string; source_url: string | null; occurred_at: string };
type Status = { status: string; success: boolean; message: string; moments: Shown[] };

const SENTENCE = /^No moment was recorded: \S.*\.$/;
const JUNK: Record<string, string> = {
  ...{ nothing: '', blanks: ' \n', 'a list': '[]', 'a text': '"x"', 'an empty object': '{}' },
  ...{
    HTML: '<html><body>502 Bad Gateway</body></html>',
    'cut JSON': '{"status": "firing", "alerts": [{"st',
  },
  depth: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
};

describe('every sender', () => {
  let t: Story;
  let ada: SignedIn;
  before(async () => {
    t = await story({
      automatic: true,
      organization: { people: { ada: {} }, teams: { sre: { members: ['ada'] } } },
    });
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  async function webhook(type: string): Promise<string> {
    const { body } = await ada.call('POST', '/api/webhooks', {
      team: 'sre',
      type,
      name: `${type} ${Math.random()}`,
    });
    return body.url;
  }

  /** Sends it, and waits for the result. */
  async function send(url: string, content: string | Buffer): Promise<Status> {
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(content as string)) });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { service_request_id: id } = (await answer.json()) as { service_request_id: string };
    const { body } = await t.get(`/request/${id}/status?wait=20`, t.acme.key);
    return body.response as Status;
  }

  for (const integration of INTEGRATIONS.filter((name) => name !== 'custom')) {
    it(`${integration}: one moment, which repeats do not change and the end resolves`, async () => {
      const url = await webhook(integration);
      const ids = new Set<string>();
      for (const [sample, state] of STORIES[integration] ?? assert.fail('it has no story'))
        for (const time of ['first', 'again']) {
          const { moments } = await send(url, samplesOf(integration).get(sample) ?? '');
          // The delivery that used its number before was about nothing.
          if (time === 'again' && moments.length === 0) continue;
          const [moment, ...others] = moments;
          assert.ok(moment && others.length === 0, `${sample} is about ${moments.length} moments`);
          assert.equal(moment.state, state, sample);
          assert.ok([...moment.name].length <= 70);
          assert.ok(Date.parse(moment.occurred_at) <= Date.now());
          ids.add(moment.id);
        }
      assert.equal(ids.size, 1);
    });

    it(`${integration}: an invalid body is an error with the reason`, async () => {
      const url = await webhook(integration);
      const sent = Object.entries(JUNK).map(async ([what, content]) => ({
        what,
        ...(await send(url, content)),
      }));
      for (const { what, status, success, message, moments } of await Promise.all(sent)) {
        assert.deepEqual([status, success, moments], ['failed', false, []], what);
        assert.match(message, SENTENCE, what);
      }
      const bytes = await fetch(url, {
        method: 'POST',
        body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      });
      assert.equal(bytes.status, 400);
    });
  }
});
