import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { endingOf } from '../api/ending.ts';
import { serviceNow } from '../kit/clock.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** A webhook or page source whose URL, or key, can be replaced and revoked. */
export type Revocable = {
  id: string;
  name: string;
  team: { slug: string };
  way: 'URL' | 'key';
  /** `oldUntil`: until when the old one works; null ends it at once. `key`: one of another product, to register. */
  rotate(change: { oldUntil: string | null; key: string | null }): Promise<void>;
  revoke(): Promise<unknown>;
  /** Refreshes lists after it was revoked. */
  revoked(): void;
};

/** Buttons that replace the URL or key, and that revoke it. */
export function RotateOrRevoke({ of }: { of: Revocable }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="row">
      <Button variant="default" onClick={() => setOpen('rotate')}>
        {of.way === 'key' ? t('New key') : t('New URL')}
      </Button>
      <Button variant="default" onClick={() => setOpen('revoke')}>
        {t('Revoke')}
      </Button>
      {open === 'rotate' && <Rotate of={of} close={close} />}
      {open === 'revoke' && <Revoke of={of} close={close} />}
    </div>
  );
}

const OVERLAPS = [
  { value: '0', label: t('At once') },
  { value: '1', label: t('In an hour') },
  { value: '24', label: t('In a day') },
  { value: '168', label: t('In a week') },
  { value: '720', label: t('In 30 days') },
];

function Rotate({ of: { name, way, rotate }, close }: { of: Revocable; close: () => void }) {
  const [hours, setHours] = useState('168');
  const [key, setKey] = useState('');
  const save = useMutation({
    mutationFn: () => {
      const until = new Date(serviceNow().getTime() + Number(hours) * 3_600_000).toISOString();
      return rotate({ oldUntil: hours === '0' ? null : until, key: key.trim() || null });
    },
    onSuccess: () => {
      showToast(
        way === 'key'
          ? t('It has a new key: enter it in the tool.')
          : t('It has a new URL: enter it in the tool.'),
      );
      close();
    },
  });
  const error = otherError(save.error, ['key']);
  return (
    <Modal
      opened
      onClose={close}
      title={way === 'key' ? t('New key for {name}', { name }) : t('New URL for {name}', { name })}
    >
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          {t('If the old one has leaked, end it at once. Otherwise, leave time to change the tool.')}
        </p>
        <Select
          label={way === 'key' ? t('The old key stops working') : t('The old URL stops working')}
          data={OVERLAPS}
          value={hours}
          onChange={(value) => value && setHours(value)}
          allowDeselect={false}
          openOnFocus={false}
          data-autofocus
        />
        {way === 'key' && <OldKeyField value={key} change={setKey} error={save.error} />}
        {error && (
          <p className="ink-alarm" role="alert">
            {error}
          </p>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {way === 'key' ? t('Create a new key') : t('Create a new URL')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The key of the product that a source replaces. */
export function OldKeyField({
  value,
  change,
  error,
}: {
  value: string;
  change: (key: string) => void;
  error: Error | null;
}) {
  return (
    <TextInput
      label={t('Key from your old vendor')}
      description={t('Senders keep their key, and you change only the host name. Leave empty for a new key.')}
      autoComplete="off"
      spellCheck={false}
      maxLength={1_000}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={fieldError(error, 'key')}
    />
  );
}

function Revoke({ of, close }: { of: Revocable; close: () => void }) {
  const { id, name, team, way } = of;
  const navigate = useNavigate();
  const revoke = useMutation({
    mutationKey: endingOf(id),
    mutationFn: () => of.revoke(),
    onSuccess: async () => {
      showToast(t('{name} is revoked. Its calls are refused.', { name }));
      await navigate({ to: '/teams/$slug', params: { slug: team.slug } });
      of.revoked();
    },
    onError: showFailure,
  });
  return (
    <ConfirmDialog
      title={t('Revoke {name}?', { name })}
      keep={t('Keep it')}
      go={t('Revoke')}
      busy={revoke.isPending}
      close={close}
      act={() => revoke.mutate()}
    >
      {way === 'key'
        ? t('Calls with its key are refused within a second. This cannot be undone. What it received stays.')
        : t('Calls with its URL are refused within a second. This cannot be undone. What it received stays.')}
    </ConfirmDialog>
  );
}
