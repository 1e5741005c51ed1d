import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { holdReads } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { EndedWords, useEnded } from './ended.tsx';

/** A sign-in in another tab is noticed when this one is shown again, or else within this time. */
const LOOK_MS = 30_000;

/** Says above the view that the session has ended, while something that was entered is kept. */
export function EndedNotice({ className }: { className: string | undefined }) {
  const ended = useEnded();
  if (!ended) return null;
  return (
    <div className={className} role="alert" data-session-ended>
      <Waiting />
      <span className="dot" />
      <span>
        <EndedWords text={ended} />
      </span>
    </div>
  );
}

/** Reads nothing until the person is signed in again, or until nothing that was entered is left. */
function Waiting(): null {
  const client = useQueryClient();
  useEffect(() => {
    const look = () => void client.refetchQueries({ queryKey: sessionQuery.queryKey });
    const timer = setInterval(look, LOOK_MS);
    window.addEventListener('focus', look);
    // A sign-out in another tab.
    window.addEventListener('storage', look);
    document.addEventListener('visibilitychange', look);
    // What is not on the screen must not be shown any more.
    client.removeQueries({ type: 'inactive' });
    // A save that was accepted means that the person is signed in.
    const release = holdReads(look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
      window.removeEventListener('storage', look);
      document.removeEventListener('visibilitychange', look);
      release();
    };
  }, [client]);
  return null;
}
