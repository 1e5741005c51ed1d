import { Button, TextInput } from '@mantine/core';
import { useDebouncedState } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditLine } from '../../../src/people/organization-api-contract.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import classes from './audit-log.module.css';
import { auditWords, moments } from './audit-words.ts';
import { auditQuery } from './queries.ts';

/** The audit log, newest first. */
export function AuditLogView() {
  const [action, setAction] = useDebouncedState('', 250);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(action.trim()),
  );
  return (
    <div className="stack">
      <TextInput
        aria-label={t('Filter by action')}
        placeholder={t('Action: team, webhook, schedule …')}
        type="search"
        maw={360}
        defaultValue={action}
        onChange={(event) => setAction(event.currentTarget.value)}
      />
      {!data && <Unread error={error} again={refetch} rows={6} />}
      {data?.pages[0]?.entries.length === 0 && (
        <Empty>{action ? t('No action begins like this.') : t('Nothing was changed yet.')}</Empty>
      )}
      {data && data.pages[0]?.entries.length !== 0 && (
        <div className="card lines">
          {moments(data.pages.flatMap(({ entries }) => entries)).map(([entry, ...others]) => (
            <Lines key={entry.id} entry={entry} others={others} />
          ))}
        </div>
      )}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Older entries')}
        </Button>
      )}
    </div>
  );
}

/** The entries of one action: the first one, and the others on demand. */
function Lines({ entry, others }: { entry: AuditLine; others: readonly AuditLine[] }) {
  const [all, setAll] = useState(false);
  return (
    <>
      <Line entry={entry} />
      {all && others.map((other) => <Line key={other.id} entry={other} />)}
      {others.length > 0 && (
        <div className={classes.more}>
          <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('Fold them') : t('… and {count} more', { count: others.length })}
          </Button>
        </div>
      )}
    </>
  );
}

function Line({ entry }: { entry: AuditLine }) {
  const now = useNow(60_000);
  const { at, by, action, subject, data } = entry;
  return (
    <details className="pad">
      <summary>
        <span className={classes.entry}>
          <span className="grow">
            <b>{by?.name ?? t('The operator')}</b> {auditWords(entry)}{' '}
            <span className={`mono ${auditWords(entry) ? 'faint' : ''}`}>{action}</span>
          </span>
          <When at={at} now={now} className="faint" />
        </span>
      </summary>
      <div className="mono faint" style={{ marginTop: 8 }}>
        {subject}
      </div>
      <pre className="mono wordwrap" style={{ margin: '4px 0 0' }}>
        {JSON.stringify(data, null, 2)}
      </pre>
    </details>
  );
}
