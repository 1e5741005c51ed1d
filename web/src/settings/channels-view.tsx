import { useQuery } from '@tanstack/react-query';
import type { ChannelHealth } from '../../../src/notifications/channels-api-contract.ts';
import type { Provider } from '../../../src/notifications/providers-api-contract.ts';
import { problemsQuery } from '../api/queries.ts';
import { Unread } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import { ChannelLine } from './channel-line.tsx';
import { ProviderSection } from './provider-section.tsx';
import { channelsQuery, providersQuery } from './queries.ts';

/** `manages`: the viewer sets up providers. */
export function ChannelsView({ manages }: { manages: boolean }) {
  const { data, error, refetch } = useQuery(channelsQuery);
  if (!data) return <Unread error={error} again={refetch} rows={6} />;
  return manages ? <ByProvider channels={data.channels} /> : <Channels channels={data.channels} />;
}

/** Each provider with the channels that need it, and then the channels that need none. */
function ByProvider({ channels }: { channels: readonly ChannelHealth[] }) {
  const { data, error, refetch } = useQuery(providersQuery);
  if (!data) return <Unread error={error} again={refetch} rows={6} />;
  const { providers, locked, public_url: base } = data;
  const needed = new Set(providers.flatMap((provider) => provider.channels));
  return (
    <div className="stack" style={{ gap: 24 }}>
      {locked && <p className="muted">{locked}</p>}
      {providers.map((provider) => (
        <ProviderSection key={provider.name} provider={provider} base={base} locked={locked !== null}>
          <Lines
            channels={channels.filter(({ channel }) => provider.channels.includes(channel))}
            of={provider}
          />
        </ProviderSection>
      ))}
      <section className="stack" aria-label={t('Without a provider')}>
        <h2>{t('Without a provider')}</h2>
        <div className="card lines">
          <Lines channels={channels.filter(({ channel }) => !needed.has(channel))} />
        </div>
      </section>
    </div>
  );
}

function Channels({ channels }: { channels: readonly ChannelHealth[] }) {
  return (
    <div className="stack">
      {channels.some(({ unavailable }) => unavailable) && (
        <p className="muted">{t('Owners and admins set up the channels here. Ask one of them.')}</p>
      )}
      <div className="card lines">
        <Lines channels={channels} />
      </div>
    </div>
  );
}

function Lines({ channels, of = null }: { channels: readonly ChannelHealth[]; of?: Provider | null }) {
  const problems = useQuery(problemsQuery).data?.problems ?? [];
  return channels.map((health) => (
    <ChannelLine
      key={health.channel}
      health={health}
      problem={problems.find(({ subject }) => subject === `channel:${health.channel}`)}
      provider={of}
    />
  ));
}
