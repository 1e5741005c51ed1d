import { Link, type LinkProps } from '@tanstack/react-router';
import { Refusal } from '../api/call.ts';
import { t } from '../language/t.ts';
import { Empty, Failed, Loading } from './states.tsx';

/** Shown instead of a detail view while it loads, when it failed to load, and with `missing` when it does not exist. */
export function NotShown({
  error,
  again,
  missing,
  to,
  back,
}: {
  error: Error | null;
  again: () => unknown;
  /** The sentence to show when it does not exist. */
  missing: string;
  /** The list to go back to, and its label. */
  to: NonNullable<LinkProps['to']>;
  back: string;
}) {
  const none = error instanceof Refusal && error.status === 404;
  return (
    <div className="view">
      {error && <h1 className="visually-hidden">{none ? t('Not found') : t('Not read')}</h1>}
      {none && (
        <Empty
          action={
            <Link className="link" to={to}>
              {back}
            </Link>
          }
        >
          {missing}
        </Empty>
      )}
      {error && !none && <Failed error={error} again={() => void again()} />}
      {!error && <Loading rows={4} />}
    </div>
  );
}
