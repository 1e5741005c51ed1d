import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { SelectRow, useSelection } from '../kit/selection.tsx';
import { fullTime, shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import classes from './page-row.module.css';
import { useAct } from './use-act.ts';
import { useAgain } from './use-again.ts';
import { usePageKeys } from './use-page-keys.tsx';
import { channelWords, stateTone, stateWords, whoWords } from './words.ts';

/**
 * A page in a list. Hotkeys act on the row that has the focus. `loud`: urgent and waiting for the viewer, which gives
 * it the strongest colour on the screen. `line`: a row in a shared card instead of a card of its own.
 */
export function PageRow({
  page,
  loud = false,
  line = false,
}: {
  page: PageSummary;
  loud?: boolean;
  line?: boolean;
}) {
  const now = useNow(page.state === 'notifying' ? 1_000 : 30_000);
  const channels = page.state === 'notifying' ? channelWords(page) : '';
  const selection = useSelection();
  const question = usePageKeys(
    page,
    // Keys act on all selected pages instead of the one that has the focus.
    () =>
      !selection?.any &&
      document.activeElement?.closest('[data-page]')?.getAttribute('data-page') === page.id,
  );
  return (
    <article
      data-page={page.id}
      className={`opens ${classes.row}`}
      data-loud={loud || undefined}
      data-unanswered={page.unanswered || undefined}
      data-line={line || undefined}
    >
      <SelectRow id={page.id} name={page.title} />
      <span className={classes.state}>
        <Pill tone={stateTone(page)} dot>
          {stateWords(page, now)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={classes.title} data-row to="/pages/$id" params={{ id: page.id }}>
          {page.title}
        </Link>
        <div className="muted">
          {page.drill && `${t('Drill')} · `}
          {whoWords(page)}
          {channels && <span className={`mono ${classes.channels}`}>{channels}</span>}
        </div>
      </div>
      <time className="faint" dateTime={page.created_at} title={fullTime(page.created_at)}>
        {page.state === 'notifying' || page.state === 'acknowledged' || page.unanswered
          ? ''
          : shortTime(page.created_at, now)}
      </time>
      <RowAction page={page} loud={loud} />
      {question}
    </article>
  );
}

/** Anybody may page again, because anybody may raise a page; only people of the page may mark it as handled. */
function UnansweredActions({ page }: { page: PageSummary }) {
  const act = useAct(page.id);
  const again = useAgain(page.id);
  const busy = act.isPending || again.isPending;
  return (
    <span className={classes.choice}>
      <Button
        className={classes.action}
        variant="default"
        data-acts={`again ${page.id}`}
        loading={again.isPending}
        disabled={busy}
        onClick={() => again.mutate()}
      >
        {t('Page again')}
      </Button>
      {page.may_act && (
        <Button
          className={classes.action}
          variant="default"
          data-acts={`handled ${page.id}`}
          loading={act.isPending}
          disabled={busy}
          onClick={() => act.mutate({ name: 'resolve' })}
        >
          {t('Mark as handled')}
        </Button>
      )}
    </span>
  );
}

function RowAction({ page, loud }: { page: PageSummary; loud: boolean }) {
  const act = useAct(page.id);
  if (page.unanswered) return <UnansweredActions page={page} />;
  if (!page.may_act) return null;
  if (page.state === 'notifying')
    return (
      <Button
        className={classes.action}
        variant={loud ? 'filled' : 'default'}
        data-acts={`acknowledge ${page.id}`}
        loading={act.isPending}
        onClick={() => act.mutate({ name: 'acknowledge' })}
      >
        {t('Acknowledge')}
        <span className={`kbd ${classes.key}`}>A</span>
      </Button>
    );
  if (page.state === 'acknowledged')
    return (
      <Button
        className={classes.action}
        variant="default"
        data-acts={`resolve ${page.id}`}
        loading={act.isPending}
        onClick={() => act.mutate({ name: 'resolve' })}
      >
        {t('Resolve')}
      </Button>
    );
  return null;
}
