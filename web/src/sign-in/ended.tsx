import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';

/** What the service says of a session that has ended while something that was entered is kept; undefined otherwise. */
export function useEnded(): string | undefined {
  return useQuery({ ...sessionQuery, enabled: false }).data?.ended?.text;
}

export function EndedWords({ text }: { text: string }) {
  return (
    <>
      {text} {t('Until then, pages cannot reach this browser.')}{' '}
      <a href="/" target="_blank" rel="noreferrer" style={{ color: 'inherit', textDecoration: 'underline' }}>
        {t('Sign in in a new tab')}
      </a>
    </>
  );
}

/** What a form says beside its buttons: that the session has ended, or else why it was refused. */
export function FormAlert({ error }: { error: string | null | undefined }) {
  const ended = useEnded();
  const endedBefore = useRef<string>(undefined);
  if (ended) endedBefore.current = ended;
  // A save that was refused because of it can be made again.
  const said = ended ? <EndedWords text={ended} /> : error === endedBefore.current ? null : error;
  if (!said) return null;
  return (
    <p
      key={ended}
      ref={ended ? bringIntoSight : null}
      role="alert"
      className="ink-alarm"
      data-says-ended={ended && true}
    >
      {said}
    </p>
  );
}

/** The end of a long dialog may be below the screen, and nobody has pressed its buttons. */
function bringIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
