import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Loading } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import { Or, Refused } from '../sign-in/outside.tsx';
import { confirmByPasskey } from '../sign-in/passkey.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { accountQuery } from './queries.ts';

const TITLE = t('Confirm that it is you');

/** Re-authenticates the viewer before a dangerous action: by password, code or passkey. */
export function ConfirmDialog({ confirmed, cancel }: { confirmed: () => void; cancel: () => void }) {
  const { data: account } = useQuery(accountQuery);
  const [secret, setSecret] = useState('');
  const byPassword = account?.password === true;
  const confirm = useMutation({
    mutationFn: () =>
      send(accountApi.confirm, { body: byPassword ? { password: secret } : { code: secret } }),
    onSuccess: confirmed,
  });
  const passkey = useMutation({ mutationFn: confirmByPasskey, onSuccess: confirmed });
  const form = useRef<HTMLFormElement>(null);
  // The dialog opens, and takes the focus, before it is known how the person can confirm.
  const isKnown = account !== undefined;
  useEffect(() => {
    if (isKnown) form.current?.querySelector('input')?.focus();
  }, [isKnown]);
  const possible = account && (account.password || account.codes || account.passkeys.length > 0);
  return (
    // Without the library's header: this dialog may lie above another one, and a page may have only one banner.
    <Modal
      opened
      onClose={cancel}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': TITLE } }}
      zIndex={300}
    >
      <div className="stack" style={{ gap: 16 }}>
        <h2 style={{ fontSize: 15, color: 'var(--text)' }}>{TITLE}</h2>
        {!account && <Loading rows={1} />}
        {account && !possible && (
          <p className="muted">
            {account.oidc
              ? t(
                  'You have neither a password nor a passkey, and you signed in more than an hour ago. Sign out, sign in again with your identity provider, and then do this at once.',
                )
              : t(
                  'You have neither a password nor a passkey, and you signed in more than an hour ago. Sign out, sign in again with a new one-time link, and then do this at once.',
                )}
          </p>
        )}
        {possible && (
          <p className="muted">
            {t('You signed in more than an hour ago. Once you confirm, what you were doing continues.')}
          </p>
        )}
        {(account?.password || account?.codes) && (
          <form
            ref={form}
            className="stack"
            style={{ gap: 16 }}
            onSubmit={(event: FormEvent) => {
              event.preventDefault();
              confirm.mutate();
            }}
          >
            {byPassword ? (
              <PasswordField
                value={secret}
                change={setSecret}
                autoFocus
                error={fieldError(confirm.error, 'confirmation')}
              />
            ) : (
              <TextInput
                label={t('Code from your authenticator app')}
                autoComplete="one-time-code"
                value={secret}
                onChange={(event) => setSecret(event.currentTarget.value)}
                error={fieldError(confirm.error, 'confirmation')}
                data-autofocus
              />
            )}
            <div className="row" style={{ justifyContent: 'flex-end' }}>
              <Button variant="default" onClick={cancel}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={confirm.isPending} disabled={secret === ''}>
                {t('Confirm')}
              </Button>
            </div>
          </form>
        )}
        <Refused message={passkey.error?.message ?? otherError(confirm.error, ['confirmation'])} />
        {account && account.passkeys.length > 0 && account.passkeys_possible && (
          <>
            {(account.password || account.codes) && <Or />}
            <Button variant="default" size="md" loading={passkey.isPending} onClick={() => passkey.mutate()}>
              {t('Use a passkey')}
            </Button>
          </>
        )}
        {account && !account.password && !account.codes && (
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={cancel} data-autofocus={!possible || undefined}>
              {possible ? t('Cancel') : t('Close')}
            </Button>
          </div>
        )}
      </div>
    </Modal>
  );
}
