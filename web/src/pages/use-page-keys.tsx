import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { sessionQuery } from '../api/queries.ts';
import { Ask } from '../kit/ask.tsx';
import { useAct } from './use-act.ts';

type Name = 'acknowledge' | 'resolve' | 'escalate';

const WORDS: Record<Name, string> = { acknowledge: 'Acknowledge', resolve: 'Resolve', escalate: 'Escalate' };

/**
 * A, R and E for the page that is selected. They act at once on what was asked of the viewer, and ask first about pages of
 * others. Returns that question.
 */
export function usePageKeys(page: PageSummary, isSelected: () => boolean): ReactNode {
  const act = useAct(page.id);
  const me = useQuery(sessionQuery).data?.user.id;
  const [asking, setAsking] = useState<Name | null>(null);
  const isAsked = page.mine || (me !== undefined && page.acknowledged_by?.id === me);
  const press = (name: Name) => () => {
    if (!isSelected() || !page.may_act || !isPossible(page, name)) return;
    if (isAsked) act.mutate({ name });
    else setAsking(name);
  };
  useActionHotkeys(page.id, [
    ['a', press('acknowledge')],
    ['r', press('resolve')],
    ['e', press('escalate')],
  ]);
  if (!asking) return null;
  return (
    <Ask
      title={`${WORDS[asking]} a page of others?`}
      keep="Leave it"
      go={WORDS[asking]}
      busy={act.isPending}
      close={() => setAsking(null)}
      act={() => act.mutate({ name: asking }, { onSettled: () => setAsking(null) })}
    >
      “{page.title}” was not sent to you{page.team ? ` but to ${page.team.name}` : ''}.
    </Ask>
  );
}

function isPossible({ state, kind }: PageSummary, name: Name): boolean {
  if (name === 'resolve') return state !== 'resolved';
  return state === 'notifying' && (name === 'acknowledge' || kind === 'team');
}
