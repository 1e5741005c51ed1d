import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  CHANNEL,
  type ChannelName,
  channelsOf,
  methodOf,
} from '../../../../src/notifications/channels/contract.ts';
import type { MethodShown, SentShown } from '../../../../src/people/contact-contract.ts';
import { CopyField } from '../../kit/copy.tsx';
import { showToast } from '../../kit/toast.ts';
import { t } from '../../language/t.ts';
import { sendCode, useMethods, verify } from './use-methods.ts';

type Proving = Pick<MethodShown, 'id' | 'type' | 'value'>;

/**
 * Asks for the code that was sent. `first`: the result of sending a code before the dialog opened; null: none was sent.
 */
export function VerifyDialog({
  method,
  first,
  secret = null,
  close,
}: {
  method: Proving;
  first: SentShown | null;
  secret?: string | null;
  close: () => void;
}) {
  const { keep } = useMethods();
  const [code, setCode] = useState('');
  const send = useMutation({ mutationFn: (by: ChannelName | undefined) => sendCode(method.id, by) });
  const prove = useMutation({
    mutationFn: () => verify(method.id, code),
    onSuccess: async (list) => {
      showToast(t('Verified. Pages can go there from now on.'));
      close();
      await keep(list);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate();
  };
  const sent = send.data ?? first;
  return (
    <Modal
      opened
      onClose={close}
      title={t('Is {address} yours?', { address: method.value })}
      closeOnClickOutside={false}
    >
      <form className="stack" style={{ gap: 16 }} onSubmit={submit}>
        {secret && (
          <div className="stack tight">
            <p className="muted">
              {t('Check the signature of our calls with this secret; it is shown only once.')}
            </p>
            <CopyField text={secret} name={t('Copy the signing secret')} />
          </div>
        )}
        <p className={sent?.sent === false || send.error ? 'ink-alarm' : 'muted'} role="status">
          {send.error ? send.error.message : sentWords(method, sent)}
        </p>
        <TextInput
          label={t('Code')}
          description={t('Six digits, valid for 10 minutes')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={prove.error?.message}
          data-autofocus
        />
        <div className="row wrap" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate(undefined)}>
            {sent ? t('Send another') : t('Send the code')}
          </Button>
          {channelsOf(method.type).map((channel) => {
            const { codeInstead } = CHANNEL[channel].words;
            return (
              codeInstead && (
                <Button
                  key={channel}
                  variant="default"
                  loading={send.isPending}
                  onClick={() => send.mutate(channel)}
                >
                  {codeInstead}
                </Button>
              )
            );
          })}
          <Button type="submit" loading={prove.isPending} disabled={code.replace(/\D/g, '').length !== 6}>
            {t('Verify')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function sentWords({ type }: Proving, sent: SentShown | null): string {
  if (!sent) return t('A code proves that messages sent there reach you.');
  return sent.sent
    ? methodOf(type).codeSent
    : t('The code could not be sent: {error}', { error: sent.error ?? '' });
}
