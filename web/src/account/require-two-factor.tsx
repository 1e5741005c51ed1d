import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type TwoFactorState, twoFactorApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { twoFactorQuery } from './queries.ts';

/** Whether the organization requires two-factor authentication. Owners can change it, everybody can see it. */
export function RequireTwoFactor() {
  const client = useQueryClient();
  const state = useQuery(twoFactorQuery).data;
  const [asking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (required: boolean) => send(twoFactorApi.change, { body: { required } }),
    onSuccess: (next) => {
      client.setQueryData(twoFactorQuery.queryKey, next);
      setAsking(false);
      showToast(
        next.required ? t('Everybody needs a second factor now.') : t('The password is enough again.'),
      );
    },
    onError: (error) => {
      setAsking(false);
      showFailure(error);
    },
  });
  if (!state) return null;
  return (
    <section className="stack" aria-label={t('Second factor required')}>
      <h2>{t('Second factor')}</h2>
      <div className="card pad row wrap">
        <span className="grow muted">{words(state)}</span>
        <Switch
          label={t('Required for everybody')}
          checked={state.required}
          disabled={!state.may_change || change.isPending}
          onChange={(event) =>
            event.currentTarget.checked && state.without > 0
              ? setAsking(true)
              : change.mutate(event.currentTarget.checked)
          }
        />
      </div>
      {asking && (
        <ConfirmDialog
          title={t('Require a second factor?')}
          keep={t('Not yet')}
          go={t('Require it')}
          busy={change.isPending}
          close={() => setAsking(false)}
          act={() => change.mutate(true)}
        >
          {t(
            '{count, plural, =1 {One person has none and can only set it up from now on. Pages still reach them.} other {{count} people have none and can only set it up from now on. Pages still reach them.}}',
            { count: state.without },
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}

function words({ required, without, may_change }: TwoFactorState): string {
  return [stateWords(required, without), may_change ? '' : t('Only owners can change this.')]
    .join(' ')
    .trim();
}

function stateWords(required: boolean, without: number): string {
  if (required) return t('People without one have to set it up before they can continue.');
  if (without === 0) return t('Everybody already has one.');
  return t('{count, plural, =1 {One person has none yet.} other {{count} people have none yet.}}', {
    count: without,
  });
}
