import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { showFailure } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Replaces a secret until the viewer has re-authenticated; then the queries of `room` are refreshed. */
export function HiddenSecret({ what, room }: { what: string; room: string }) {
  const client = useQueryClient();
  const show = useMutation({
    mutationFn: () => send(accountApi.confirmed),
    onSuccess: () => client.invalidateQueries({ queryKey: [room] }),
    onError: showFailure,
  });
  return (
    <div className="row wrap">
      <span className="muted grow">{t('{what} is hidden until you confirm that it is you.', { what })}</span>
      <Button
        variant="default"
        loading={show.isPending}
        onClick={() => show.mutate()}
        aria-label={t('Show: {what}', { what })}
      >
        {t('Show')}
      </Button>
    </div>
  );
}
