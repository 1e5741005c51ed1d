import { Button, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { inClock } from '../kit/time.ts';
import { cityOf } from '../kit/time-formats.ts';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { FeedDialog } from './feed-dialog.tsx';
import { LinksLine } from './links-line.tsx';
import classes from './schedules.module.css';
import { ShadowsLine } from './shadows.tsx';
import type { ScheduleWindow } from './use-schedule-window.ts';
import { VIEW_NAMES, VIEWS, type View, windowName } from './window.ts';

/** The name of the schedule, and the controls for the visible window and the zone. */
export function ScheduleHead({
  schedule,
  window,
  now,
  onOverride,
}: {
  schedule: ScheduleSettings;
  window: ScheduleWindow;
  now: number;
  onOverride: () => void;
}) {
  const { view, zone, span, at, byPerson, look, step } = window;
  const here = viewerZone();
  const [feed, setFeed] = useState(false);
  return (
    <header className="stack">
      <div className={classes.head}>
        <Link to="/schedules" className="crumb">
          {t('Schedules /')}
        </Link>
        <h1>{schedule.name}</h1>
        {schedule.enabled ? (
          <Pill tone="calm" dot>
            {t('enabled')}
          </Pill>
        ) : (
          <Pill tone="none">{t('disabled')}</Pill>
        )}
        <span className="muted">
          {schedule.team.name} · {schedule.time_zone} · {inClock(schedule.shifts_text)}
        </span>
        <span className="grow" />
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/schedules/$id/handoff" params={{ id: schedule.id }} {...props} />}
        >
          {t('Hand-off')}
        </Button>
        <Button variant="default" onClick={() => setFeed(true)}>
          iCal
        </Button>
        {feed && <FeedDialog scheduleId={schedule.id} close={() => setFeed(false)} />}
        {schedule.may_manage && (
          <>
            <Button variant="default" onClick={onOverride}>
              {t('Override')}
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/schedules/$id/edit" params={{ id: schedule.id }} {...props} />
              )}
            >
              {t('Edit')}
            </Button>
          </>
        )}
      </div>
      {schedule.description && <p className="muted wordwrap">{schedule.description}</p>}
      <ShadowsLine shadows={schedule.shadows} />
      <LinksLine schedule={schedule} />
      <div className={classes.head}>
        <Button
          variant="default"
          onClick={() => look({ at: null })}
          disabled={span.from <= now && now < span.to}
        >
          {t('Today')}
        </Button>
        <Button.Group>
          <Button variant="default" onClick={() => step(-1)} aria-label={t('Earlier')}>
            ‹
          </Button>
          <Button variant="default" onClick={() => step(1)} aria-label={t('Later')}>
            ›
          </Button>
        </Button.Group>
        <b aria-live="polite">{windowName(view, at, span, zone)}</b>
        <span className="grow" />
        {schedule.time_zone === here.name ? (
          <span className="muted">
            {t("times in {zone}, your zone and the schedule's", { zone: here.city })}
          </span>
        ) : (
          <SegmentedControl
            aria-label={t('In which time zone')}
            value={zone.name === here.name ? 'mine' : 'schedule'}
            onChange={(value) => look({ zone: value === 'schedule' ? 'schedule' : null })}
            data={[
              { value: 'mine', label: t('Your time, {zone}', { zone: here.city }) },
              {
                value: 'schedule',
                label: t("Schedule's, {zone}", { zone: cityOf(schedule.time_zone) }),
              },
            ]}
          />
        )}
        <SegmentedControl
          aria-label={t('One per line')}
          value={byPerson ? 'person' : 'stage'}
          onChange={(value) => look({ by: value === 'person' ? 'person' : null })}
          data={[
            { value: 'stage', label: t('Stages') },
            { value: 'person', label: t('People') },
          ]}
        />
        <SegmentedControl
          aria-label={t('How much time')}
          value={view}
          onChange={(value) => look({ view: value === 'weeks' ? null : (value as Exclude<View, 'weeks'>) })}
          data={VIEWS.map((value) => ({ value, label: VIEW_NAMES[value] }))}
        />
      </div>
    </header>
  );
}
