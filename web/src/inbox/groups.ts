import type { NoticeView } from '../../../src/notices/api-contract.ts';

type Grouped = Pick<NoticeView, 'path' | 'id' | 'read'>;

/**
 * Notices about the same thing together, newest first, in the order of their newest. A notice that is about nothing in the dashboard stays
 * alone.
 */
export function groupsOf<One extends Grouped>(notices: readonly One[]): One[][] {
  return [...Map.groupBy(notices, ({ path, id }) => path ?? id).values()];
}
