import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { sessionQuery } from '../api/queries.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { t } from '../language/t.ts';
import { isOwn, recipientOf } from './own-page.ts';
import { useAct } from './use-act.ts';

type Name = 'acknowledge' | 'resolve' | 'escalate';

const WORDS: Record<Name, { button: string; question: string }> = {
  acknowledge: { button: t('Acknowledge'), question: t('Acknowledge somebody else’s page?') },
  resolve: { button: t('Resolve'), question: t('Resolve somebody else’s page?') },
  escalate: { button: t('Escalate'), question: t('Escalate somebody else’s page?') },
};

/**
 * The keys A, R and E for the selected page. They act at once on pages that notified the viewer, and ask for
 * confirmation on pages of others. Returns the confirmation dialog.
 */
export function usePageKeys(page: PageSummary, isSelected: () => boolean): ReactNode {
  const act = useAct(page.id);
  const me = useQuery(sessionQuery).data?.user.id;
  const [confirming, setConfirming] = useState<Name | null>(null);
  const press = (name: Name) => () => {
    if (!isSelected() || !page.may_act || !isPossible(page, name)) return;
    if (isOwn(page, me)) act.mutate({ name });
    else setConfirming(name);
  };
  useActionHotkeys(page.id, [
    ['a', press('acknowledge')],
    ['r', press('resolve')],
    ['e', press('escalate')],
  ]);
  if (!confirming) return null;
  return (
    <ConfirmDialog
      title={WORDS[confirming].question}
      keep={t('Leave it')}
      go={WORDS[confirming].button}
      busy={act.isPending}
      close={() => setConfirming(null)}
      act={() => act.mutate({ name: confirming }, { onSettled: () => setConfirming(null) })}
    >
      {t('“{title}” was not sent to you but to {recipient}.', {
        title: page.title,
        recipient: recipientOf(page),
      })}
    </ConfirmDialog>
  );
}

function isPossible({ state, kind }: PageSummary, name: Name): boolean {
  if (name === 'resolve') return state !== 'resolved';
  return state === 'notifying' && (name === 'acknowledge' || kind === 'team');
}
