import { useQuery } from '@tanstack/react-query';
import type { SystemHealth } from '../../../src/worker/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Unread } from '../kit/states.tsx';
import { duration } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t, tIn } from '../language/t.ts';
import { systemQuery } from './queries.ts';

/** A queue that is later than this needs attention. */
const LATE_SECONDS = 30;

const QUEUES = [
  ['steps', t('Steps of pages')],
  ['deliveries', t('Notifications')],
  ['notifications', t('Received webhook calls')],
] as const;

const ROLES = {
  all: t('does everything'),
  api: t('answers requests'),
  worker: tIn('what a node does', 'works'),
};

/** The state of queues, nodes and database. */
export function SystemView() {
  const { data, error, refetch } = useQuery(systemQuery);
  if (!data) return <Unread error={error} again={refetch} rows={4} />;
  return (
    <div className="stack" style={{ gap: 24 }}>
      <section className="stack" aria-label={t('Queues')}>
        <h2>{t('Queues')}</h2>
        <div className="card lines">
          {QUEUES.map(([name, words]) => (
            <Queue key={name} words={words} late={data.queues[name]} waiting={data.waiting[name]} />
          ))}
        </div>
      </section>
      <section className="stack" aria-label={t('Nodes')}>
        <h2>{t('Nodes')}</h2>
        <div className="card lines">
          {data.nodes.map((node) => (
            <NodeLine key={node.id} node={node} />
          ))}
        </div>
      </section>
      <section className="stack" aria-label={t('Versions')}>
        <h2>{t('Versions')}</h2>
        <p className="card pad muted">
          {data.database.embedded
            ? t(
                'Tocsin {version} · the embedded PostgreSQL {database}, {size} MiB · time zones {zones}',
                versionsOf(data),
              )
            : t(
                'Tocsin {version} · PostgreSQL {database}, {size} MiB · time zones {zones}',
                versionsOf(data),
              )}
        </p>
      </section>
    </div>
  );
}

function Queue({ words, late, waiting }: { words: string; late: number; waiting: number }) {
  const isLate = late >= LATE_SECONDS;
  return (
    <div className="line wrap">
      <span className="grow">
        <b>{words}</b>{' '}
        <span className="muted">
          {waiting === 0 ? t('nothing waiting') : t('{count} to do in time', { count: waiting })}
        </span>
      </span>
      <Pill tone={isLate ? 'alarm' : 'calm'} dot>
        {isLate ? t('{time} late', { time: duration(late * 1_000) }) : t('in time')}
      </Pill>
    </div>
  );
}

function NodeLine({ node }: { node: SystemHealth['nodes'][number] }) {
  const now = useNow(30_000);
  return (
    <div className="line wrap">
      <span className="grow">
        <b>{node.host}</b> <span className="mono faint">pid {node.pid}</span>
        <div className="muted">
          {ROLES[node.role]} ·{' '}
          <Rich
            text="version {version} · since {when}"
            version={node.version}
            when={<When at={node.started_at} now={now} />}
          />
        </div>
      </span>
      <Pill tone={node.alive ? 'calm' : 'alarm'} dot>
        {node.alive ? tIn('a node of the service', 'alive') : tIn('a node of the service', 'gone')}
      </Pill>
    </div>
  );
}

function versionsOf({ version, database, time_zones }: SystemHealth): Record<string, string> {
  const size = (database.bytes / 1_048_576).toFixed(0);
  return { version, database: database.version, size, zones: time_zones ?? '' };
}
