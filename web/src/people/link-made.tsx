import { Button, Modal } from '@mantine/core';
import { CopyField } from '../kit/copy.tsx';

/** A link that lets one person in: for copying, and nobody else. */
export function LinkMade({
  title,
  words,
  url,
  close,
}: {
  title: string;
  words: string;
  /** Null: it went by mail. */
  url: string | null;
  close: () => void;
}) {
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          {words} {url !== null && 'Anyone who has it can use it.'}
        </p>
        {url !== null && <CopyField text={url} what="the link" />}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button onClick={close} data-autofocus>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  );
}
