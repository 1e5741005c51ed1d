import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type PeriodDetail, payApi } from '../../../src/pay/api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { ExplainedButton } from '../kit/explained-button.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { periodName } from './words.ts';

/** What leads a period from one state to the next. */
export function PeriodActions({ period }: { period: PeriodDetail }) {
  const { id, state, figures } = period;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'publish' | 'delete' | null>(null);
  const params = { id };
  const act = (work: () => Promise<unknown>, done: string) => ({
    mutationFn: work,
    onSuccess: () => {
      setAsking(null);
      showToast(done);
    },
    onError: (error: Error) => {
      // The view shows what has changed, and that it cannot be published like this.
      setAsking(null);
      showFailure(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['pay'] }),
  });
  const check = useMutation(
    act(() => send(payApi.check, { params, body: { figures } }), t('Checked. Its amounts are stored.')),
  );
  const reopen = useMutation(act(() => send(payApi.reopen, { params }), t('The period is a draft again.')));
  const publish = useMutation(
    act(() => send(payApi.publish, { params }), t('Published. People see their statements now.')),
  );
  const remove = useMutation({
    mutationFn: () => send(payApi.removePeriod, { params }),
    onSuccess: async () => {
      await navigate({ to: '/pay' });
      await client.invalidateQueries({ queryKey: ['pay', 'periods'] });
    },
    onError: (error: Error) => showFailure(error),
  });
  return (
    <>
      {state === 'draft' && (
        <Button variant="default" onClick={() => setAsking('delete')}>
          {t('Delete')}
        </Button>
      )}
      {state === 'checked' && (
        <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
          {t('Back to draft')}
        </Button>
      )}
      {state !== 'published' && (
        // One button, so that the focus stays on it when the period is checked.
        <ExplainedButton
          main
          why={whyNot(period)}
          label={state === 'draft' ? t('Mark as checked') : t('Publish')}
          busy={check.isPending}
          act={() => (state === 'draft' ? check.mutate() : setAsking('publish'))}
        />
      )}
      {asking === 'publish' && (
        <ConfirmDialog
          title={t('Publish {period}?', { period: periodName(period) })}
          keep={t('Not yet')}
          go={t('Publish')}
          busy={publish.isPending}
          close={() => setAsking(null)}
          act={() => publish.mutate()}
        >
          {t(
            'People see their own statements, which no longer change. Later changes are settled in the next period.',
          )}
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('Delete {period}?', { period: periodName(period) })}
          keep={t('Keep it')}
          go={t('Delete')}
          busy={remove.isPending}
          close={() => setAsking(null)}
          act={() => remove.mutate()}
        >
          {t('None of it was published. You can create it again, with the same amounts.')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Why a draft cannot be checked yet, or a checked period not be published. */
function whyNot({ state, over, unpriced, changed }: PeriodDetail): string | null {
  if (state === 'checked')
    return changed.length === 0
      ? null
      : t('It has changed since it was checked. Make it a draft again, and check its current figures.');
  if (!over) return t('You can check it when its last day is over.');
  return unpriced.length === 0
    ? null
    : t('You can check it when everybody has rates for their times, or is marked as not paid.');
}
