import assert from 'node:assert/strict';
import type { SourceSettings } from '../src/sources/contract.ts';
import type { Story } from './story.ts';

/** What a call did to a page, as the status of its request says. */
export type PageOutcome = { id: string | null; state: string | null; action: string; reason: string | null };

export type PageSource = {
  id: string;
  /** Calls the source, waits until the call is processed, and returns what it did. */
  post(body: unknown): Promise<PageOutcome[]>;
};

/** Makes a custom page source of the team `sre`. */
export async function pageSource(t: Story, settings: SourceSettings = {}): Promise<PageSource> {
  const { id, path } = await t.source({ team: 'sre', settings });
  return {
    id,
    async post(body) {
      const answer = await t.post(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await t.settle();
      const status = await t.get(`/request/${answer.body.service_request_id}/status`);
      return (status.body as { response: { pages: PageOutcome[] } }).response.pages;
    },
  };
}
