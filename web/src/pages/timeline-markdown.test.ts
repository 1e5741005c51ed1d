import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageDetail } from '../../../src/pages/api-contract.ts';
import { timelineMarkdown } from './timeline-markdown.ts';

const ada = { id: 'user_1', name: 'Ada', email: 'ada@example.com' };
const detail = {
  page: {
    title: 'Disk *full*\n# on db-1',
    team: { name: 'SRE' },
    state: 'acknowledged',
    urgency: 'high',
    created_at: '2026-11-20T03:12:00.000Z',
    source_url: 'https://grafana.example/d/1?a=b_c',
  },
  timeline: [
    {
      kind: 'comment',
      at: '2026-11-20T03:14:05.678Z',
      by: ada,
      text: '- see [this](https://evil.example)\n',
    },
  ],
  upcoming: [],
} as unknown as PageDetail;

describe('a copied timeline', () => {
  it("is Markdown in which people's texts have no effect", () => {
    const text = timelineMarkdown(detail, 'https://oncall.example/pages/page_1');
    assert.match(text, /^# Disk \\\*full\\\* \\# on db-1\n/);
    assert.match(
      text,
      /\n- Page: https:\/\/oncall\.example\/pages\/page\\_1\n- Team: SRE\n- State: acknowledged\n/,
    );
    assert.match(
      text,
      /\n- 2026-11-20 03:14:05\.678 .*commented – - see \\\[this\\\]\(https:\/\/evil\.example\)\n$/,
    );
  });

  it('leaves out what a page does not have', () => {
    const bare = { ...detail, page: { ...detail.page, team: null, source_url: null } } as PageDetail;
    assert.doesNotMatch(timelineMarkdown(bare, 'https://x.example'), /Team:|Source:/);
  });
});
