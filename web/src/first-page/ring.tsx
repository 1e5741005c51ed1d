import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { composeApi } from '../../../src/pages/compose-api-contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { useConnection } from '../api/live.ts';
import { pageQuery } from '../api/queries.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';

/** Sends the viewer a real page. The alarm covers the screen, and one press acknowledges it. */
export function Ring({
  session,
  team,
  done,
}: {
  session: Session;
  team: string | null;
  done: (pageId: string) => void;
}) {
  const connection = useConnection();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const raise = useMutation({
    mutationFn: () =>
      send(composeApi.raise, {
        body: {
          kind: team ? 'team' : 'person',
          recipient: team ?? session.user.email,
          title: t('Your first page'),
          text: t('This is what a page looks like. Nothing is broken: acknowledge it to stop the ringing.'),
          urgency: 'high',
        },
      }),
  });
  const pageId = raise.data?.page_id ?? '';
  const state = useQuery({ ...pageQuery(pageId), enabled: pageId !== '' }).data?.page.state;
  useEffect(() => {
    if (pageId && (state === 'acknowledged' || state === 'resolved')) done(pageId);
  }, [pageId, state, done]);
  return (
    <div className="stack" style={{ gap: 16 }}>
      <p className="muted">
        {team ? t('A page to {team}, as a program would send it.', { team }) : t('A page to yourself.')}{' '}
        <Rich
          text="It takes over this screen and rings; <kbd>A</kbd> or the big button acknowledges it."
          kbd={(letter) => <kbd className="kbd">{letter}</kbd>}
        />
      </p>
      <div className="row wrap">
        <Button
          ref={button}
          size="md"
          loading={raise.isPending || (raise.isSuccess && !state)}
          disabled={connection !== 'live' || state === 'notifying'}
          onClick={() => raise.mutate()}
        >
          {t('Ring in this browser')}
        </Button>
        <span role="status" className="muted">
          {connection !== 'live' && t('Connecting …')}
          {state === 'notifying' && t('It is ringing: acknowledge it.')}
          {state === 'expired' && t('Nobody answered in time. Try again.')}
        </span>
      </div>
      <p role="alert" className={raise.error ? 'ink-alarm' : 'visually-hidden'}>
        {raise.error?.message}
      </p>
    </div>
  );
}
