import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { fullTime, shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import classes from './page-row.module.css';
import { useAct } from './use-act.ts';
import { channelWords, STATE_TONES, stateWords, whoWords } from './words.ts';

/**
 * One page in a list. `waiting`: the one that the key acts on. `loud`: it is urgent, too; nothing else on the screen is as red.
 * `line`: one of many in a card, instead of a card of its own.
 */
export function PageRow({
  page,
  waiting = false,
  loud = false,
  line = false,
}: {
  page: PageSummary;
  waiting?: boolean;
  loud?: boolean;
  line?: boolean;
}) {
  const now = useNow(page.state === 'notifying' ? 1_000 : 30_000);
  const channels = page.state === 'notifying' ? channelWords(page) : '';
  return (
    <article className={classes.row} data-loud={loud || undefined} data-line={line || undefined}>
      <span className={classes.state}>
        <Pill tone={STATE_TONES[page.state]} dot>
          {stateWords(page, now)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={classes.title} data-row to="/pages/$id" params={{ id: page.id }}>
          {page.title}
        </Link>
        <div className="muted">
          {whoWords(page)}
          {channels && <span className="mono"> · {channels}</span>}
        </div>
      </div>
      <time className="faint" dateTime={page.created_at} title={fullTime(page.created_at)}>
        {page.state === 'notifying' || page.state === 'acknowledged' ? '' : shortTime(page.created_at, now)}
      </time>
      <RowAction {...{ page, waiting, loud }} />
    </article>
  );
}

function RowAction({ page, waiting, loud }: { page: PageSummary; waiting: boolean; loud: boolean }) {
  const act = useAct(page.id);
  if (!page.may_act) return null;
  if (page.state === 'notifying')
    return (
      <Button
        className={classes.action}
        variant={loud ? 'filled' : 'default'}
        loading={act.isPending}
        onClick={() => act.mutate({ name: 'acknowledge' })}
        rightSection={waiting ? <span className="kbd">A</span> : undefined}
      >
        Acknowledge
      </Button>
    );
  if (page.state === 'acknowledged')
    return (
      <Button
        className={classes.action}
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate({ name: 'resolve' })}
      >
        Resolve
      </Button>
    );
  return null;
}
