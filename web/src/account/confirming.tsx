import { lazy, Suspense } from 'react';
import { useConfirmation } from './confirmation.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** Stands in the shell; its dialog is loaded when somebody is asked. */
export function Confirming() {
  const { open, confirmed, cancel } = useConfirmation();
  if (!open) return null;
  return (
    <Suspense>
      <ConfirmDialog confirmed={confirmed} cancel={cancel} />
    </Suspense>
  );
}
