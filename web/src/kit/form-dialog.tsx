import { Button, Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../language/t.ts';
import { FormAlert } from '../sign-in/ended.tsx';
import { useEntered } from './use-entered.ts';
import { useRefusalFocus } from './use-refusal-focus.ts';

/**
 * A dialog with a form. `error`: an error that concerns none of its fields. `anyway`: a button below that error. `ready`: the
 * form may be sent. `above`: the dialog is opened from a drawer.
 */
export function FormDialog({
  title,
  close,
  send,
  go,
  ready = true,
  busy,
  error = null,
  anyway = null,
  above = false,
  children,
}: {
  title: string;
  close: () => void;
  send: () => void;
  go: string;
  ready?: boolean;
  busy: boolean;
  error?: string | null | undefined;
  anyway?: ReactNode;
  above?: boolean;
  children: ReactNode;
}) {
  const form = useRefusalFocus(busy);
  const { entered, entering } = useEntered();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={!entered}
      title={title}
      {...(above ? { zIndex: 300 } : {})}
    >
      <form ref={form} className="stack" style={{ gap: 16 }} onSubmit={submit} {...entering}>
        {children}
        <FormAlert error={error} />
        {anyway && <div className="row">{anyway}</div>}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close} style={{ flexShrink: 0 }}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={!ready} loading={busy}>
            {go}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
