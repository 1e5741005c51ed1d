import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Asks before something that cannot be undone. `keep` says what happens otherwise; `known`: false while it is not known yet what
 * would follow.
 */
export function Ask({
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
