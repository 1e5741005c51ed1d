import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL } from '../../../src/notifications/channels/contract.ts';
import type { ChannelHealth } from '../../../src/notifications/channels-api-contract.ts';
import type { Provider } from '../../../src/notifications/providers-api-contract.ts';
import { methodsApi } from '../../../src/people/contact-contract.ts';
import { send } from '../api/call.ts';
import type { Problem } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';

/**
 * A channel: whether it is set up, whether it works, and a button that sends a test to the viewer. `provider`: the one below
 * which it is shown.
 */
export function ChannelLine({
  health,
  problem,
  provider,
}: {
  health: ChannelHealth;
  problem: Problem | undefined;
  provider: Provider | null;
}) {
  const now = useNow(30_000);
  const { channel, unavailable, day } = health;
  const { plural, explained } = CHANNEL[channel].words;
  // The line of the provider above says it, and has the button.
  const isSaid = unavailable !== null && provider?.set_by === null;
  return (
    <div className="line wrap" style={{ alignItems: 'flex-start' }}>
      <div className="grow" style={{ minWidth: 220 }}>
        <b>{plural}</b> {!provider && <span className="muted">{explained}</span>}
        {!isSaid && <div className="muted">{unavailable ?? problem?.message ?? dayWords(day)}</div>}
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
      <Button variant="default" component={Link} to="/profile">
        {t('Add it to your profile to test it')}
      </Button>
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
