import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pill } from '../kit/pill.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { useInstall } from './install.ts';
import { type PushState, switchPushOff, switchPushOn } from './push.ts';
import { pushQuery } from './queries.ts';

const WORDS: Record<PushState, string> = {
  on: t('Pages show up on this device, even when it is locked or this dashboard is closed.'),
  off: t(
    'Turn it on, and pages show up on this device even when the dashboard is closed. On a phone, add the dashboard to the home screen first.',
  ),
  blocked: t('The browser blocks notifications of this site; allow them in its settings, then come back.'),
  unsupported: t(
    'This browser cannot show pushed pages here. On an iPhone, add the dashboard to the home screen and open it from there; elsewhere, HTTPS is needed.',
  ),
};

/** Push notifications in this browser. */
export function DeviceCard() {
  const client = useQueryClient();
  const { data: state } = useQuery(pushQuery);
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? switchPushOn() : switchPushOff()),
    onSuccess: (_, on) =>
      showToast(on ? t('This device shows pages now.') : t('This device no longer shows pushed pages.')),
    onError: showFailure,
    onSettled: () =>
      Promise.all(
        ['push', 'contact-methods', 'notification-rules'].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  const install = useInstall();
  if (!state) return null;
  return (
    <section className="stack" aria-label={t('This device')}>
      <h2>{t('This device')}</h2>
      <div className="card pad row wrap">
        <div className="grow" style={{ minWidth: 240 }}>
          <b>{t('Push')}</b> {state === 'on' && <Pill tone="calm">{t('on')}</Pill>}
          <div className="muted">{WORDS[state]}</div>
        </div>
        {state === 'off' && (
          <Button loading={change.isPending} onClick={() => change.mutate(true)}>
            {t('Turn on')}
          </Button>
        )}
        {state === 'on' && (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate(false)}>
            {t('Switch off')}
          </Button>
        )}
      </div>
      {install && (
        <div className="card pad row wrap">
          <div className="grow" style={{ minWidth: 240 }}>
            <b>{t('App')}</b>
            <div className="muted">
              {t(
                'On the home screen, Tocsin opens as an app, and its icon shows how many pages wait for you.',
              )}
            </div>
          </div>
          <Button variant="default" onClick={install}>
            {t('Install')}
          </Button>
        </div>
      )}
      <p className="muted">
        {t(
          'This device keeps the on-call list of your teams, so that it can say who is on call without a network. Signing out removes it.',
        )}
      </p>
    </section>
  );
}
