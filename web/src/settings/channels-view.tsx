import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL } from '../../../src/notifications/channels/contract.ts';
import type { ChannelHealth } from '../../../src/notifications/channels-api-contract.ts';
import { methodsApi } from '../../../src/people/contact-contract.ts';
import { send } from '../api/call.ts';
import { type Problem, problemsQuery } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { Unread } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { channelsQuery } from './queries.ts';

/** Each channel: whether it is set up, whether it works, and a button that sends a test to the viewer. */
export function ChannelsView() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const problems = useQuery(problemsQuery).data?.problems ?? [];
  if (!data) return <Unread error={error} again={refetch} rows={6} />;
  return (
    <div className="stack">
      {data.channels.some(({ unavailable }) => unavailable) && (
        <p className="muted">
          {t(
            'The person who runs the service sets up providers in its environment variables, and restarts it.',
          )}
        </p>
      )}
      <div className="card lines">
        {data.channels.map((health) => (
          <Line
            key={health.channel}
            health={health}
            problem={problems.find(({ subject }) => subject === `channel:${health.channel}`)}
          />
        ))}
      </div>
    </div>
  );
}

function Line({ health, problem }: { health: ChannelHealth; problem: Problem | undefined }) {
  const now = useNow(30_000);
  const { channel, unavailable, day } = health;
  const { plural, explained } = CHANNEL[channel].words;
  return (
    <div className="line wrap" style={{ alignItems: 'flex-start' }}>
      <div className="grow" style={{ minWidth: 220 }}>
        <b>{plural}</b> <span className="muted">{explained}</span>
        <div className="muted">{unavailable ?? problem?.message ?? dayWords(day)}</div>
        {!unavailable && problem && <div className="ink-watch">{problem.fix}</div>}
        {day.last_accepted_at && (
          <div className="faint">
            <Rich text="last accepted {when}" when={<When at={day.last_accepted_at} now={now} />} />
          </div>
        )}
      </div>
      {unavailable ? (
        <Pill tone="none">{t('not set up')}</Pill>
      ) : problem ? (
        <Pill tone="alarm" dot>
          {t('fails')}
        </Pill>
      ) : (
        <Pill tone="calm" dot>
          {t('ready')}
        </Pill>
      )}
      <Test health={health} />
    </div>
  );
}

function Test({ health: { channel, unavailable, test_method_id } }: { health: ChannelHealth }) {
  const test = useMutation({
    mutationFn: () =>
      send(methodsApi.sendTest, { params: { id: test_method_id ?? '' }, body: { by: channel } }),
    onSuccess: ({ sent, error }) =>
      sent
        ? showToast(t('Sent to you: it should arrive in a moment.'))
        : showFailure(new Error(error ?? t('The provider did not accept it.'))),
    onError: showFailure,
  });
  if (unavailable || CHANNEL[channel].method === null) return null;
  if (!test_method_id)
    return (
      <Link className="link" to="/profile">
        {t('Add it to your profile to test it')}
      </Link>
    );
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {t('Send me a test')}
    </Button>
  );
}

function dayWords({ accepted, failed, waiting }: ChannelHealth['day']): string {
  if (accepted + failed + waiting === 0) return t('Nothing was sent in the last 24 hours.');
  return t(
    '{accepted} sent{failed, plural, =0 {} other {, # failed}}{waiting, plural, =0 {} other {, # to come}} in the last 24 hours.',
    { accepted, failed, waiting },
  );
}
