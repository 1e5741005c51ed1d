import { Link, type LinkProps } from '@tanstack/react-router';
import { Refusal } from '../api/call.ts';
import { Empty, Failed, Loading } from './states.tsx';

/** In place of one thing while it is read, when reading it failed, and when there is none: then `missing` says so. */
export function NotShown({
  error,
  again,
  missing,
  to,
  back,
}: {
  error: Error | null;
  again: () => unknown;
  /** A sentence. */
  missing: string;
  /** The list that it would stand in, and what that is called. */
  to: NonNullable<LinkProps['to']>;
  back: string;
}) {
  const none = error instanceof Refusal && error.status === 404;
  return (
    <div className="view">
      {error && <h1 className="visually-hidden">{none ? 'Not found' : 'Not read'}</h1>}
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
