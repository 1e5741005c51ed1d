import { Button, Modal } from '@mantine/core';
import { CopyField } from '../kit/copy.tsx';
import { t } from '../language/t.ts';

/** Shows a one-time link for one person, to be copied and sent to nobody else. */
export function LinkMade({
  title,
  words,
  url,
  close,
}: {
  title: string;
  words: string;
  /** Null: it was sent by email. */
  url: string | null;
  close: () => void;
}) {
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          {words} {url !== null && t('Anyone who has it can use it.')}
        </p>
        {url !== null && <CopyField text={url} name={t('Copy the link')} />}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button onClick={close} data-autofocus>
            {t('Done')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
