import { Button, FocusTrap } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { pageQuery } from '../api/queries.ts';
import { Markdown } from '../kit/markdown.tsx';
import { Pill } from '../kit/pill.tsx';
import { SourceLink } from '../kit/source-link.tsx';
import { clockTime, countdown } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { Rich } from '../language/rich.tsx';
import { t, tIn } from '../language/t.ts';
import { useAct } from '../pages/use-act.ts';
import { nextNotified, urgencyName } from '../pages/words.ts';
import classes from './alarm.module.css';
import { putAside, type Ringing, useAlarms } from './alarms.ts';
import { canSound, startBell } from './bell.ts';
import { keyMayAct } from './key-guard.ts';

/** Covers the screen with a page for the viewer until they answer it or put it aside. */
export function AlarmScreen() {
  const alarms = useAlarms();
  const [alarm] = alarms;
  useRinging(alarms.length > 0);
  return alarm ? <OneAlarm key={alarm.pageId} alarm={alarm} count={alarms.length} /> : null;
}

function OneAlarm({ alarm, count }: { alarm: Ringing; count: number }) {
  const navigate = useNavigate();
  const act = useAct(alarm.pageId);
  const detail = useQuery(pageQuery(alarm.pageId)).data;
  const next = detail && nextNotified(detail);
  const now = useNow(1_000);
  const silent = !canSound();

  const acknowledge = () => act.mutate({ name: 'acknowledge' }, { onSuccess: () => putAside(alarm) });
  const open = () => {
    putAside(alarm);
    void navigate({ to: '/pages/$id', params: { id: alarm.pageId } });
  };
  useHotkeys([
    ['a', () => keyMayAct() && acknowledge()],
    ['o', () => keyMayAct() && open()],
    ['Escape', () => keyMayAct() && open()],
  ]);

  return (
    <FocusTrap active>
      <div
        className={classes.screen}
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="alarm-title"
        aria-describedby="alarm-text"
      >
        <div className="row">
          <Pill tone="alarm" dot>
            {urgencyName(alarm.urgency)}
          </Pill>
          {count > 1 && <span className="muted">{t('1 of {count} ringing', { count })}</span>}
          <span className="grow" />
          <span className="mono muted">
            {clockTime(alarm.at)}
            {alarm.stage !== null && ` · ${t('stage {stage}', { stage: alarm.stage })}`}
          </span>
        </div>
        <div className={classes.words}>
          {/* The heading gets the focus instead of a button, so that somebody who is typing does not answer by
              accident. */}
          <h1 className={classes.title} id="alarm-title" tabIndex={-1} data-autofocus>
            {alarm.title}
          </h1>
          <div className={`${classes.text} wordwrap`} id="alarm-text">
            <Markdown text={alarm.text} />
          </div>
          {detail?.page.source_url && <SourceLink url={detail.page.source_url} />}
          <p className="muted">
            {detail ? (detail.page.team?.name ?? t('For you')) : '\u00a0'}
            {next && (
              <>
                {' · '}
                <Rich
                  text="next is {who} in {time}"
                  who={next.who}
                  time={
                    <span className={classes.strong}>{countdown(Date.parse(next.at) - now.getTime())}</span>
                  }
                />
              </>
            )}
          </p>
          {silent && <p className="ink-watch">{t('This browser is silent until you touch the page.')}</p>}
        </div>
        <div className={classes.actions}>
          <Button
            className={classes.acknowledge}
            data-acts={`acknowledge ${alarm.pageId}`}
            onClick={acknowledge}
            loading={act.isPending}
            rightSection={<span className={`kbd ${classes.key}`}>A</span>}
          >
            {t('Acknowledge')}
          </Button>
          <div className={classes.others}>
            <Button className={classes.other} variant="default" onClick={open}>
              {tIn('a button', 'Open')}
            </Button>
            {detail?.page.kind === 'team' && (
              <Button
                className={classes.other}
                variant="default"
                data-acts={`escalate ${alarm.pageId}`}
                onClick={() => act.mutate({ name: 'escalate' }, { onSuccess: () => putAside(alarm) })}
              >
                {next ? t('Escalate to {name}', { name: next.first }) : t('Escalate')}
              </Button>
            )}
          </div>
        </div>
      </div>
    </FocusTrap>
  );
}

function useRinging(any: boolean): void {
  useEffect(() => (any ? startBell() : undefined), [any]);
}
