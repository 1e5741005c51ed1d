import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Account, accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Pill } from '../kit/pill.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { RecoveryDialog } from './recovery-dialog.tsx';

/** The authenticator app, and the recovery codes for when the phone is lost. */
export function TwoFactorCard({
  account,
  busy,
}: {
  account: Account;
  /** Called with true while something is shown that must not disappear. */
  busy?: (busy: boolean) => void;
}) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'set up' | 'remove' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const isBusy = open === 'set up' || codes !== null;
  useEffect(() => busy?.(isBusy), [busy, isBusy]);
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['account'] });
    await client.invalidateQueries({ queryKey: ['session'] });
  };
  const renew = useMutation({
    mutationFn: () => send(accountApi.replaceRecoveryCodes),
    onSuccess: async ({ recovery_codes }) => {
      setCodes(recovery_codes);
      await refresh();
    },
    onError: showFailure,
  });
  const remove = useMutation({
    mutationFn: () => send(accountApi.removeCodes),
    onSuccess: async () => {
      setOpen(null);
      showToast(t('You can sign in with the password alone again.'));
      await refresh();
    },
    onError: showFailure,
  });
  return (
    <section className="stack" aria-label={t('Second factor')}>
      <h2>{t('Second factor')}</h2>
      <div className="card pad row wrap">
        <div className="grow" style={{ minWidth: 220 }}>
          <b>{t('Authenticator app')}</b> {account.codes && <Pill tone="calm">{t('on')}</Pill>}
          <div className="muted">{words(account)}</div>
        </div>
        {account.codes ? (
          <div className="row wrap">
            <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
              {t('New recovery codes')}
            </Button>
            <Button variant="default" onClick={() => setOpen('remove')}>
              {t('Switch off')}
            </Button>
          </div>
        ) : (
          <Button variant="default" onClick={() => setOpen('set up')}>
            {t('Set up')}
          </Button>
        )}
      </div>
      {open === 'set up' && (
        <CodesDialog
          close={() => setOpen(null)}
          done={(made) => {
            setOpen(null);
            setCodes(made);
            void client.invalidateQueries({ queryKey: ['account'] });
          }}
        />
      )}
      {codes && (
        <RecoveryDialog
          codes={codes}
          close={() => {
            setCodes(null);
            void refresh();
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('Turn the second factor off?')}
          keep={t('Keep it')}
          go={t('Switch off')}
          busy={remove.isPending}
          close={() => setOpen(null)}
          act={() => remove.mutate()}
        >
          {t('Your password alone is then enough to sign in. The recovery codes stop working, too.')}
        </ConfirmDialog>
      )}
    </section>
  );
}

function words({ codes, recovery_codes_left: left, two_factor_required }: Account): string {
  if (codes)
    return t('Signing in with the password also needs a code. {left} of 10 recovery codes are left.', {
      left,
    });
  const what = t('A code from an app on your phone, entered after the password.');
  return two_factor_required ? `${t('Your organization requires one.')} ${what}` : what;
}
