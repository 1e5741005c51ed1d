import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Asks for confirmation before something that cannot be undone. `keep` is the label of the button that cancels, `go`
 * that of the one that acts; `known` is false while the consequences are still being loaded.
 */
export function ConfirmDialog({
  title,
  children,
  keep,
  go,
  busy,
  known = true,
  close,
  act,
}: {
  title: string;
  children: ReactNode;
  keep: string;
  go: string;
  busy: boolean;
  known?: boolean;
  close: () => void;
  act: () => void;
}) {
  return (
    <Modal opened onClose={close} title={title}>
      <div className="stack" style={{ gap: 16 }}>
        <div className="muted">{children}</div>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close} data-autofocus>
            {keep}
          </Button>
          <Button color="red" loading={busy} disabled={!known} onClick={act}>
            {go}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
