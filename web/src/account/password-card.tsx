import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { Refused } from '../sign-in/outside.tsx';
import { NewPasswordField } from '../sign-in/password-field.tsx';

export function PasswordCard({ has }: { has: boolean }) {
  const [changing, setChanging] = useState(false);
  return (
    <section className="stack" aria-label={t('Password')}>
      <h2>{t('Password')}</h2>
      <div className="card pad row wrap">
        <span className="grow muted">
          {has
            ? t('You sign in with your email and a password.')
            : t('No password set. You sign in with a passkey, a link or your identity provider.')}
        </span>
        <Button variant="default" onClick={() => setChanging(true)}>
          {has ? t('Change it') : t('Set a password')}
        </Button>
      </div>
      {changing && <ChangePassword close={() => setChanging(false)} />}
    </section>
  );
}

function ChangePassword({ close }: { close: () => void }) {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const save = useMutation({
    mutationFn: () => send(accountApi.password, { body: { password } }),
    onSuccess: async () => {
      showToast(t('Your password is changed. You are signed out everywhere else.'));
      await client.invalidateQueries({ queryKey: ['account'] });
      close();
    },
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t('A new password')}
      closeButtonProps={{ 'aria-label': t('Cancel') }}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <NewPasswordField
          value={password}
          change={setPassword}
          label={t('New password')}
          error={fieldError(save.error, 'password')}
        />
        <Refused message={otherError(save.error, ['password'])} />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('Save it')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
