import { Button, Modal } from '@mantine/core';
import { Copy } from '../kit/copy.tsx';
import { t } from '../language/t.ts';

/** Shows the recovery codes. They are never shown again. */
export function RecoveryDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title={t('Your recovery codes')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          {t(
            'Each code signs you in once if you lose your phone. Keep them in a safe place: they are shown only once.',
          )}
        </p>
        <ul
          className="card pad mono"
          style={{
            display: 'grid',
            gridTemplateColumns: '1fr 1fr',
            gap: 8,
            listStyle: 'none',
            margin: 0,
            fontSize: 14,
          }}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Copy text={codes.join('\n')} name={t('Copy the recovery codes')} />
          <Button onClick={close} data-autofocus>
            {t('I have them')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
