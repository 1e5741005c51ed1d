import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CHANNEL } from '../../../src/notifications/channels/contract.ts';
import { PROVIDER } from '../../../src/notifications/channels/providers-contract.ts';
import { type Provider, providersApi } from '../../../src/notifications/providers-api-contract.ts';
import { send } from '../api/call.ts';
import { anythingChanged } from '../api/changes.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { asSentence } from '../kit/detail.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { commas, listed, t } from '../language/t.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { recognizedBy } from './provider-values.ts';

/** A provider: how it is set up, buttons to change that, and as children the channels that need it. */
export function ProviderSection({
  provider,
  base,
  locked,
  children,
}: {
  provider: Provider;
  /** The public address of the service. */
  base: string;
  locked: boolean;
  children: ReactNode;
}) {
  const { words } = PROVIDER[provider.name];
  return (
    <section className="stack" aria-label={words.name}>
      <h2>{words.name}</h2>
      <div className="card lines">
        <div className="line wrap">
          <div className="grow" style={{ minWidth: 220 }}>
            <HowSetUp provider={provider} />
          </div>
          {!locked && <Actions provider={provider} base={base} />}
        </div>
        {children}
      </div>
    </section>
  );
}

function HowSetUp({ provider }: { provider: Provider }) {
  const now = useNow(60_000);
  const { name, set_by, variables, changed_at, changed_by } = provider;
  if (set_by === null) return <span className="muted">{PROVIDER[name].words.explained}</span>;
  return (
    <>
      <div style={{ overflowWrap: 'anywhere' }}>{recognizedBy(provider)}</div>
      {set_by === 'environment' && (
        <div className="muted">
          {t('Set by {variables} in the environment.', { variables: commas(variables) })}
        </div>
      )}
      {changed_at && (
        <div className="faint">
          <Rich
            text="set up {when}{by, select, somebody { by {name}} other {}}"
            when={<When at={changed_at} now={now} />}
            by={changed_by ? 'somebody' : 'nobody'}
            name={changed_by?.name}
          />
        </div>
      )}
    </>
  );
}

function Actions({ provider, base }: { provider: Provider; base: string }) {
  const { name, set_by } = provider;
  const { words } = PROVIDER[name];
  const isOpen = useSearch({ from: '/settings' }).provider === name;
  const navigate = useNavigate();
  const show = (search: { provider?: string }) =>
    void navigate({
      to: '/settings',
      search: { tab: 'channels', ...search },
      replace: true,
      resetScroll: false,
    });
  const [removes, setRemoves] = useState(false);
  if (set_by === 'environment') return <Check provider={provider} />;
  const go = set_by === null ? t('Set up') : t('Change');
  return (
    <div className="row wrap" style={{ gap: 8 }}>
      <Button variant="default" aria-label={`${go}: ${words.name}`} onClick={() => show({ provider: name })}>
        {go}
      </Button>
      {set_by !== null && (
        <>
          <Check provider={provider} />
          <Button
            variant="default"
            aria-label={`${t('Remove')}: ${words.name}`}
            onClick={() => setRemoves(true)}
          >
            {t('Remove')}
          </Button>
        </>
      )}
      {isOpen && <ProviderDialog provider={provider} base={base} close={() => show({})} />}
      {removes && <Remove provider={provider} close={() => setRemoves(false)} />}
    </div>
  );
}

/** Signs in to the provider with the settings that are in use. */
function Check({ provider: { name } }: { provider: Provider }) {
  const { words } = PROVIDER[name];
  const check = useMutation({
    mutationFn: () => send(providersApi.check, { params: { name } }),
    onSuccess: ({ works, error, fix }) =>
      works
        ? showToast(t('{provider}: it works.', { provider: words.name }))
        : showFailure(new Error(failed(error ?? '', fix))),
    onError: showFailure,
  });
  return (
    <Button
      variant="default"
      aria-label={`${t('Check')}: ${words.name}`}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {t('Check')}
    </Button>
  );
}

/** The words of the provider do not always end as a sentence. */
function failed(error: string, fix: string | null): string {
  const said = error.endsWith('.') ? error : asSentence(error);
  return fix ? `${said} ${fix}` : said;
}

function Remove({ provider: { name, channels }, close }: { provider: Provider; close: () => void }) {
  const client = useQueryClient();
  const { words } = PROVIDER[name];
  const remove = useMutation({
    mutationFn: () => send(providersApi.remove, { params: { name } }),
    onSuccess: () => {
      close();
      showToast(t('It is removed.'));
      anythingChanged(client);
    },
    onError: showFailure,
  });
  return (
    <ConfirmDialog
      title={t('Remove {name}?', { name: words.name })}
      keep={t('Keep it')}
      go={t('Remove')}
      busy={remove.isPending}
      close={close}
      act={() => remove.mutate()}
    >
      {t('Pages no longer reach anybody through these channels: {channels}.', {
        channels: listed(channels.map((channel) => CHANNEL[channel].words.plural)),
      })}{' '}
      {channels.includes('email') &&
        `${t('Invitations and links to a new password are no longer sent by email.')} `}
      {t('Its settings are deleted; you can set it up again.')}
    </ConfirmDialog>
  );
}
