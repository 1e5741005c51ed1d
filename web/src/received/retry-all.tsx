import { t } from '../language/t.ts';
import '@mantine/core/styles/Progress.css';
import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callsApi } from '../../../src/webhooks/call-contract.ts';
import { send } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { isSource } from '../webhooks/integration-names.ts';
import type { ReceivedSearch } from './search.ts';

const WHILE_READING_MS = 500;

/** Processes all failed calls again, of one webhook or of all, and shows the progress. */
export function RetryAll({ search: { webhook } }: { search: ReceivedSearch }) {
  const client = useQueryClient();
  const [total, setTotal] = useState<number | null>(null);
  const { data: counts } = useQuery({
    queryKey: ['notifications', 'counts', webhook ?? ''],
    queryFn: () => send(callsApi.counts, { query: { webhook } }),
    refetchInterval: total === null ? false : WHILE_READING_MS,
  });
  const retry = useMutation({
    mutationFn: () => retryOf(webhook),
    onSuccess: async ({ retried }) => {
      if (retried === 0)
        return showToast(
          t('Nothing could be read again: the remaining calls belong to other teams or were not signed.'),
        );
      await client.invalidateQueries({ queryKey: ['notifications', 'counts'] });
      setTotal(retried);
    },
    onError: showFailure,
  });
  const waiting = counts?.queued ?? 0;
  const failed = counts?.error ?? 0;
  useEffect(() => {
    if (total === null || !counts || waiting > 0) return;
    setTotal(null);
    showToast(
      failed === 0
        ? t('Read again: {total}. None of them failed.', { total })
        : t('Read again: {total}. Failed now: {failed}.', { total, failed }),
    );
    void client.invalidateQueries({ queryKey: ['notifications'] });
    void client.invalidateQueries({ queryKey: ['moments'] });
  }, [total, counts, waiting, failed, client]);
  if (total !== null) return <Reading done={Math.max(0, total - waiting)} total={total} />;
  if (failed === 0) return null;
  return (
    <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('Retry all {count} that failed', { count: failed })}
    </Button>
  );
}

function retryOf(webhook: string | undefined) {
  if (webhook === undefined) return send(callsApi.retryAll);
  const one = isSource(webhook) ? callsApi.retrySource : callsApi.retryWebhook;
  return send(one, { params: { id: webhook } });
}

function Reading({ done, total }: { done: number; total: number }) {
  return (
    <div className="stack tight" style={{ minWidth: 200 }} role="status">
      <span className="muted tabular">{t('{done} of {total} read again', { done, total })}</span>
      <Progress value={(done / total) * 100} aria-label={t('Read again')} size="sm" />
    </div>
  );
}
