import { Button } from '@mantine/core';
import { t } from '../language/t.ts';

/** Shown when a view fails, usually because its code was replaced by a newer version of the service. */
export function Broken({ error }: { error: unknown }) {
  return (
    <div className="view">
      <h1>{t('This view does not work')}</h1>
      <div className="card pad row wrap" role="alert">
        <span className="grow wordwrap">
          {t('Reload the page. If it fails again, report this to the operator of the service:')}{' '}
          <span className="mono">{error instanceof Error ? error.message : String(error)}</span>
        </span>
        <Button onClick={() => window.location.reload()}>{t('Load again')}</Button>
      </div>
    </div>
  );
}
