import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';

/** An empty list: one sentence, and the action that adds something. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="card pad row wrap muted">
      <span className="grow">{children}</span>
      {action}
    </div>
  );
}

export function Loading({ rows = 2 }: { rows?: number | undefined }) {
  return (
    <div className="stack" role="status" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} height={64} radius={10} />
      ))}
    </div>
  );
}

export function Failed({ error, again }: { error: Error; again: () => void }) {
  return (
    <div className="card pad row wrap" role="alert">
      <span className="ink-alarm dot" />
      <span className="grow">{error.message}</span>
      <Button variant="default" onClick={again}>
        {t('Try again')}
      </Button>
    </div>
  );
}

/** Shown instead of content that is still loading or failed to load. */
export function Unread({
  error,
  again,
  rows,
}: {
  error: Error | null;
  again: () => unknown;
  rows?: number | undefined;
}) {
  return error ? <Failed error={error} again={() => void again()} /> : <Loading rows={rows} />;
}
