import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { Later } from '../kit/later.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { DraftPreview } from './draft-preview.tsx';
import { lanesByPerson, lanesByStage, peopleOf } from './layout.ts';
import { Load } from './load.tsx';
import { Month } from './month.tsx';
import { type NewOverride, OverrideDialog } from './override-dialog.tsx';
import { Planner } from './planner.tsx';
import {
  coversQuery,
  draftQuery,
  scheduleQuery,
  shiftTimeQuery,
  timelineQuery,
  uncoveredQuery,
} from './queries.ts';
import { ScheduleHead } from './schedule-head.tsx';
import { ShiftDrawer } from './shift-drawer.tsx';
import { Timeline } from './timeline.tsx';
import { useDrops } from './use-drops.ts';
import { type ScheduleWindow, useScheduleWindow } from './use-schedule-window.ts';

/** One schedule: who is on call when, and the actions on it. */
export function ScheduleView() {
  const { id } = useParams({ from: '/schedules/$id' });
  const { data, error, refetch } = useQuery(scheduleQuery(id));
  if (data) return <Schedule schedule={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such schedule in your organization.')}
      to="/schedules"
      back={t('All schedules')}
    />
  );
}

function Schedule({ schedule }: { schedule: ScheduleSettings }) {
  const now = useNow(60_000).getTime();
  const window = useScheduleWindow(schedule.time_zone, now);
  const { view, zone, span, byPerson, look } = window;
  const { data, error, refetch } = useQuery(timelineQuery(schedule.id, span));
  // The first timeline is rendered in short steps, between which a slow phone can react.
  const timeline = useDeferredValue(data) && data;
  const covers = useQuery(coversQuery(schedule.id, span)).data?.covers ?? [];
  const uncovered = useQuery(uncoveredQuery(schedule.id, span)).data;
  const preview = useQuery(draftQuery(schedule.id)).data?.draft?.preview;
  const [override, setOverride] = useState<NewOverride | null>(null);
  const shifts = timeline?.shifts ?? [];
  const isShown = shifts.some(({ id }) => id === window.shift);
  const searching = useShowLinkedShift(schedule.id, window, timeline !== undefined && !isShown);
  const people = peopleOf(schedule.stages, shifts);
  const ownStages = schedule.stages.filter(({ linked_to }) => linked_to === null);
  const lanes = byPerson ? lanesByPerson(people, shifts) : lanesByStage(ownStages, shifts);
  const drag = useDrops(
    schedule.id,
    window,
    now,
    shifts,
    schedule.may_manage ? (shift, person) => setOverride(overrideOf(shift, person, now)) : null,
  );
  const timelineProps = timeline && {
    ...{ lanes, view, span, zone, now, timeline, covers, uncovered, backstop: schedule.backstop },
    changes: preview?.changes ?? [],
    open: window.shift,
    onOpen: ({ id }: { id: string }) => look({ shift: id }),
    onMark: schedule.may_manage
      ? (lane: { stage: number | null; seat: number | null }, marked: { from: number; to: number }) =>
          setOverride({ stage: lane.stage, seat: lane.seat, person: null, ...marked })
      : null,
    drag,
  };
  return (
    <div className="view">
      <ScheduleHead
        schedule={schedule}
        window={window}
        now={now}
        onOverride={() =>
          setOverride({ stage: null, seat: null, person: null, from: now, to: now + 86_400_000 })
        }
      />
      <Planner schedule={schedule} zone={zone} now={now} />
      {!timeline && <Unread error={error} again={refetch} rows={4} />}
      {timelineProps &&
        (view === 'month' ? <Month {...timelineProps} at={window.at} /> : <Timeline {...timelineProps} />)}
      {preview && <DraftPreview preview={preview} zone={zone} now={now} />}
      {timeline && !preview && shifts.length > 0 && (
        <Later>
          <Load people={people} loads={timeline.load} span={span} zone={zone} />
        </Later>
      )}
      {window.shift && (
        <ShiftDrawer
          shiftId={window.shift}
          shift={shifts.find(({ id }) => id === window.shift)}
          loading={!timeline || searching}
          {...{ schedule, covers, zone, now }}
          close={() => look({ shift: null })}
        />
      )}
      {override && (
        <OverrideDialog
          schedule={schedule}
          people={people}
          start={override}
          {...{ zone, now }}
          close={() => setOverride(null)}
        />
      )}
    </div>
  );
}

/**
 * A link may name a shift outside the visible window. The window then moves to the start of that shift. True while the
 * shift is looked up.
 */
function useShowLinkedShift(scheduleId: string, window: ScheduleWindow, isMissing: boolean): boolean {
  const { shift = '', at, zone, look } = window;
  const { data, isFetching } = useQuery({
    ...shiftTimeQuery(scheduleId, shift),
    enabled: isMissing && shift !== '',
  });
  const date = data?.id === shift ? zone.date(Date.parse(data.starts_at)) : null;
  const isElsewhere = date !== null && date !== zone.date(at);
  useEffect(() => {
    if (isMissing && isElsewhere) look({ at: date });
  });
  return isFetching || (isMissing && isElsewhere);
}

/** The part of a shift that has passed cannot be given away, so the override begins now at the earliest. */
function overrideOf(
  shift: { stage: number; seat: number; starts_at: string; ends_at: string },
  person: string,
  now: number,
): NewOverride {
  const from = Math.max(Date.parse(shift.starts_at), now);
  return { stage: shift.stage, seat: shift.seat, person, from, to: Date.parse(shift.ends_at) };
}
