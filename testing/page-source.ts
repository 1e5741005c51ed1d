import assert from 'node:assert/strict';
import { randomToken, sha256 } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import type { SourceSettings } from '../src/sources/contract.ts';
import { pagePath } from '../src/webhooks/contract.ts';
import type { Story } from './story.ts';

/** What a call did to a page, as the status of its request says. */
export type PageOutcome = { id: string | null; state: string | null; action: string; reason: string | null };

export type PageSource = {
  id: string;
  /** Calls the source, waits until the call is processed, and returns what it did. */
  post(body: unknown): Promise<PageOutcome[]>;
};

/** Makes a page source of the team `sre`. */
export async function pageSource(t: Story, name: string, settings: SourceSettings = {}): Promise<PageSource> {
  const token = randomToken();
  const id = newId('source');
  const at = await t.clock.now(t.app.db);
  const webhook = { id, organization_id: t.acme.id, team_id: t.acme.teams.sre ?? '', name, type: 'custom' };
  const secrets = { token_hash: sha256(token), token_sealed: t.sealing.seal(token) };
  const times = { created_at: at, updated_at: at };
  await t.app.db
    .insertInto('webhooks')
    .values({ ...webhook, ...secrets, ...times, pages: true })
    .execute();
  await t.app.db
    .insertInto('page_sources')
    .values({ id, organization_id: t.acme.id, settings: JSON.stringify(settings) })
    .execute();
  return {
    id,
    async post(body) {
      const answer = await t.post(pagePath(token, 'custom'), body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await t.settle();
      const status = await t.get(`/request/${answer.body.service_request_id}/status`);
      return (status.body as { response: { pages: PageOutcome[] } }).response.pages;
    },
  };
}
