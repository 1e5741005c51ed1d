import { Button, Modal } from '@mantine/core';
import { CopyField } from '../../kit/copy.tsx';
import { t } from '../../language/t.ts';

/** The new signing secret of a webhook. */
export function SecretDialog({ value, close }: { value: string; close: () => void }) {
  return (
    <Modal opened onClose={close} title={t('The new signing secret')} closeOnClickOutside={false}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          {t(
            'Copy it now: it is shown only once. From now on, calls are signed with it instead of the old one.',
          )}
        </p>
        <CopyField text={value} name={t('Copy the signing secret')} />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button onClick={close}>{t('I have it')}</Button>
        </div>
      </div>
    </Modal>
  );
}
