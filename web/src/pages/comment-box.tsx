import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { CommentForm } from '../kit/comment-form.tsx';
import { t } from '../language/t.ts';
import { useAct } from './use-act.ts';

/** Adds a comment to the page's timeline. */
export function CommentBox({ page }: { page: PageSummary }) {
  const act = useAct(page.id);
  if (!page.may_act)
    return <p className="muted">{t('You can read this page. Only its team and admins can act on it.')}</p>;
  return (
    <CommentForm
      placeholder={t('What did you find?')}
      busy={act.isPending}
      send={(text, done) => act.mutate({ name: 'comments', text }, { onSuccess: done })}
    />
  );
}
