import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { encode } from 'uqr';
import { accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { CopyField } from '../kit/copy.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Loading } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import { Refused } from '../sign-in/outside.tsx';

/** Sets up an authenticator app: scan the code, then type the first one. `done` gets the recovery codes. */
export function CodesDialog({ close, done }: { close: () => void; done: (recoveryCodes: string[]) => void }) {
  const [code, setCode] = useState('');
  const begin = useMutation({ mutationFn: () => send(accountApi.beginCodes) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog opens
  useEffect(() => begin.mutate(), []);
  const finish = useMutation({
    mutationFn: () => send(accountApi.setUpCodes, { body: { token: begin.data?.token ?? '', code } }),
    onSuccess: ({ recovery_codes }) => done(recovery_codes),
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t('An authenticator app')}
      closeButtonProps={{ 'aria-label': t('Cancel') }}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          finish.mutate();
        }}
      >
        {!begin.data && !begin.error && <Loading rows={1} />}
        <Refused message={begin.error?.message ?? otherError(finish.error, ['code'])} />
        {begin.data && (
          <>
            <p className="muted">{t('Scan this with the app on your phone, or type the secret into it.')}</p>
            <QrCode text={begin.data.uri} />
            <CopyField text={begin.data.secret} name={t('Copy the secret')} />
            <TextInput
              label={t('The code that the app shows')}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={10}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={fieldError(finish.error, 'code')}
              data-autofocus
            />
            <div className="row" style={{ justifyContent: 'flex-end' }}>
              <Button variant="default" onClick={close}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={finish.isPending} disabled={code.trim() === ''}>
                {t('Turn it on')}
              </Button>
            </div>
          </>
        )}
      </form>
    </Modal>
  );
}

/** Dark on light in both colour schemes, because cameras cannot read inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={t('The secret as a QR code')}
      viewBox={`0 0 ${size} ${size}`}
      width="200"
      height="200"
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8, justifySelf: 'center' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
