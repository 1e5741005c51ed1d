import { useQuery } from '@tanstack/react-query';
import type { SourceDetail, SourceTypeShown } from '../../../src/sources/api-contract.ts';
import { HiddenSecret } from '../account/hidden-secret.tsx';
import { CopyField } from '../kit/copy.tsx';
import { t } from '../language/t.ts';
import { useGuide } from '../webhooks/guide.tsx';
import { WayEnds } from '../webhooks/way-ends.tsx';
import { curlLine } from './curl-line.ts';
import { madeKeyQuery, sourceTypesQuery } from './queries.ts';
import { guidePage } from './source-guide.tsx';

/** How senders reach the source: its URL, or its key, and a command to try it. */
export function SourceWay({ source }: { source: SourceDetail }) {
  const { id, type } = source;
  const { data: key = null } = useQuery(madeKeyQuery(id));
  const way = useQuery(sourceTypesQuery).data?.types.find(({ name }) => name === type)?.way ?? 'url';
  const guide = useGuide(guidePage(type)) ?? '';
  const command =
    source.may_manage && !source.secrets_hidden
      ? curlLine(source, { key, origin: window.location.origin, guide })
      : null;
  return (
    <section className="stack" aria-label={way === 'key' ? t('Key') : t('URL')}>
      <h2>{way === 'key' ? t('Key') : t('URL')}</h2>
      {way === 'key' ? <Key source={source} made={key} /> : <Url source={source} />}
      <WayEnds of={source} way={way === 'key' ? 'key' : 'URL'} />
      {command && (
        <>
          <p className="muted">{tryWords(type, way)}</p>
          <CopyField text={command} name={t('Copy the command')} />
        </>
      )}
    </section>
  );
}

function tryWords(type: string, way: SourceTypeShown['way']): string {
  if (type === 'heartbeat') return t('Call it at the end of the job, for example from the shell:');
  return way === 'key'
    ? t('Try it from the shell, with the key in place of $KEY. This pages the team:')
    : t('Try it from the shell. This pages the team:');
}

function Key({ source: { key_last4, may_manage }, made }: { source: SourceDetail; made: string | null }) {
  if (made)
    return (
      <>
        <CopyField text={made} name={t('Copy the key')} />
        <p className="ink-watch">
          {t('Copy the key now: it is shown only once. Anyone who has it can page the team.')}
        </p>
      </>
    );
  return (
    <p className="muted">
      <span className="mono">…{key_last4}</span> ·{' '}
      {t('The key was shown when it was created; only its hash is stored.')}
      {may_manage && ` ${t('If it is lost, make a new one.')}`}
    </p>
  );
}

function Url({ source: { type, url, secrets_hidden } }: { source: SourceDetail }) {
  if (secrets_hidden) return <HiddenSecret what={t('The URL')} room="sources" />;
  if (url === null)
    return <p className="muted">{t('Its URL is shown only to the team’s managers, admins and owners.')}</p>;
  return (
    <>
      <CopyField text={url} name={t('Copy the URL')} />
      <p className="muted">
        {type === 'heartbeat'
          ? t('Anyone who has the URL can call it in place of the job: treat it like a password.')
          : t('Paste it into the tool. Anyone who has it can page the team: treat it like a password.')}
      </p>
    </>
  );
}
