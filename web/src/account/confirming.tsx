import { lazy, Suspense } from 'react';
import { useConfirmation } from './confirmation.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** Part of the shell. The dialog is loaded when it is first needed. */
export function Confirming() {
  const { open, confirmed, cancel } = useConfirmation();
  if (!open) return null;
  return (
    <Suspense>
      <ConfirmDialog confirmed={confirmed} cancel={cancel} />
    </Suspense>
  );
}
