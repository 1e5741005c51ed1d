import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountApi, type OwnSession } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { Pill } from '../kit/pill.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';

const BY: Record<OwnSession['method'], string> = {
  link: t('by a one-time link'),
  password: t('by password'),
  passkey: t('by passkey'),
  oidc: t('by your identity provider'),
  invitation: t('by an invitation'),
  first_run: t('as the first owner'),
};

/** The viewer's sessions, with buttons that end them. */
export function SessionsCard({ sessions }: { sessions: OwnSession[] }) {
  const now = useNow(60_000);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id ? send(accountApi.endSession, { params: { id } }) : send(accountApi.endSessions),
    onSuccess: async (_, id) => {
      showToast(id ? t('It is signed out within a second.') : t('You are signed out everywhere but here.'));
      await client.invalidateQueries({ queryKey: ['account'] });
    },
    onError: showFailure,
  });
  return (
    <section className="stack" aria-label={t('Active sessions')}>
      <div className="row">
        <h2 className="grow">{t('Active sessions')}</h2>
        {sessions.length > 1 && (
          <Button
            variant="default"
            loading={end.isPending && end.variables === null}
            onClick={() => end.mutate(null)}
          >
            {t('Sign out everywhere else')}
          </Button>
        )}
      </div>
      <div className="card lines">
        {sessions.map((session) => (
          <div className="line wrap" key={session.id}>
            <div className="grow">
              <b>{session.browser}</b> {session.current && <Pill tone="calm">{t('this one')}</Pill>}
              <div className="muted">
                {session.place && `${session.place} · `}
                {session.current ? t('now') : <When at={session.last_seen_at} now={now} />}
                {' · '}
                <Rich
                  text="signed in {when} {way}"
                  when={<When at={session.created_at} now={now} />}
                  way={BY[session.method]}
                />
              </div>
            </div>
            {!session.current && (
              <Button
                variant="default"
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
                aria-label={t('Sign out {browser}, {place}', {
                  browser: session.browser,
                  place: session.place ?? '',
                })}
              >
                {t('Sign out')}
              </Button>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
