import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { endWindow } from './queries.ts';
import { endWords } from './words.ts';

/** Ends a window now, after its consequences were shown. */
export function EndWindow({ window }: { window: WindowShown }) {
  const [confirming, setConfirming] = useState(false);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => endWindow(window),
    onSuccess: () => {
      setConfirming(false);
      showToast(t('“{name}” ended.', { name: window.name }));
    },
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['windows'] }),
  });
  if (!window.may_change) return null;
  const label = window.state === 'upcoming' ? t('Cancel it') : t('End now');
  return (
    <>
      <Button
        variant="default"
        style={{ position: 'relative' }}
        aria-label={`${label}: ${window.name}`}
        onClick={() => setConfirming(true)}
      >
        {label}
      </Button>
      {confirming && (
        <ConfirmDialog
          title={
            window.state === 'upcoming'
              ? t('Cancel “{name}”?', { name: window.name })
              : t('End “{name}” now?', { name: window.name })
          }
          keep={t('Keep it')}
          go={label}
          busy={end.isPending}
          close={() => setConfirming(false)}
          act={() => end.mutate()}
        >
          {endWords([window])}
        </ConfirmDialog>
      )}
    </>
  );
}
