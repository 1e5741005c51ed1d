import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { reconcile, ring, useAlarms, waitingFor } from '../alarm/alarms.ts';
import { allowSound } from '../alarm/bell.ts';
import { type Alarm, connect, useConnection } from '../api/live.ts';
import { openPagesQuery } from '../api/queries.ts';
import { showNotice } from '../inbox/notice-toast.tsx';
import { showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { useBadge } from '../offline/use-badge.ts';
import { useKeeping } from '../offline/use-keeping.ts';
import { useArrival } from './use-arrival.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useTitle } from './use-title.ts';

/** What runs beside every view. It is a component of its own, so that its data does not render the whole frame again. */
export function Background({ session }: { session: Session }): null {
  const { data: open, dataUpdatedAt } = useQuery(openPagesQuery);
  useLive(session.user.id);
  useKeeping(session);
  useBadge(waitingFor(open?.pages ?? [], session.user.id));
  useEffect(() => {
    if (open) reconcile(open.pages, session.user.id, dataUpdatedAt);
  }, [open, dataUpdatedAt, session.user.id]);
  const unanswered = open?.pages.filter((page) => page.unanswered).length ?? 0;
  useTitle({ ringing: useAlarms().length, unanswered }, useConnection());
  useArrival();
  useFocusBack();
  useRowKeys();
  return null;
}

function useLive(userId: string): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person needs another connection
  useEffect(() => {
    const silence = allowSound();
    const disconnect = connect(client, {
      page: arrived,
      notice: (notice) => showNotice(notice, (href) => void navigate({ href })),
    });
    return () => {
      silence();
      disconnect();
    };
  }, [client, userId]);
}

function arrived(alarm: Alarm): void {
  if (alarm.type === 'page.expired') showToast(t('Nobody answered: {title}', { title: alarm.title }));
  else if (alarm.urgency === 'low') showToast(t('Page for you, not urgent: {title}', { title: alarm.title }));
  else ring(alarm);
}
