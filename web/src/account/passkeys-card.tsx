import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountApi, type OwnPasskey } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Empty } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { makePasskey } from '../sign-in/passkey.ts';

export function PasskeysCard({ account }: { account: Account }) {
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => makePasskey(),
    onSuccess: async ({ name }) => {
      showToast(t('You can now sign in with the passkey {name}.', { name }));
      await client.invalidateQueries({ queryKey: ['account'] });
      await client.invalidateQueries({ queryKey: ['session'] });
    },
    onError: showFailure,
  });
  const button = account.passkeys_possible && (
    <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
      {t('Add a passkey')}
    </Button>
  );
  return (
    <section className="stack" aria-label={t('Passkeys')}>
      <div className="row">
        <h2 className="grow">{t('Passkeys')}</h2>
        {account.passkeys.length > 0 && button}
      </div>
      {account.passkeys.length === 0 && (
        <Empty action={button}>
          {account.passkeys_possible
            ? t('A passkey signs you in with your finger, face or PIN, and nobody can steal it from you.')
            : t(
                'Browsers allow passkeys only over HTTPS with a host name, and on localhost; this address is neither.',
              )}
        </Empty>
      )}
      {account.passkeys.length > 0 && (
        <div className="card lines">
          {account.passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </div>
      )}
    </section>
  );
}

function PasskeyLine({ passkey }: { passkey: OwnPasskey }) {
  const now = useNow(60_000);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => send(accountApi.removePasskey, { params: { id: passkey.id } }),
    onSuccess: async () => {
      setAsking(false);
      await client.invalidateQueries({ queryKey: ['account'] });
    },
    onError: showFailure,
  });
  return (
    <div className="line wrap">
      <div className="grow">
        <b>{passkey.name}</b>
        <div className="muted">
          {passkey.last_used_at ? (
            <Rich
              text="used {used} · created {made}"
              used={<When at={passkey.last_used_at} now={now} />}
              made={<When at={passkey.created_at} now={now} />}
            />
          ) : (
            <Rich text="never used · created {made}" made={<When at={passkey.created_at} now={now} />} />
          )}
        </div>
      </div>
      <Button
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={t('Remove the passkey {name}', { name: passkey.name })}
      >
        {t('Remove')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: passkey.name })}
          keep={t('Keep it')}
          go={t('Remove')}
          busy={remove.isPending}
          close={() => setAsking(false)}
          act={() => remove.mutate()}
        >
          {t(
            'You can no longer sign in with it. Your device may still offer it until you remove it there too.',
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}
