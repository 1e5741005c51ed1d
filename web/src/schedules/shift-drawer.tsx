import { t } from '../language/t.ts';
import '@mantine/core/styles/Drawer.css';
import { Button, Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cover } from '../../../src/covers/api-contract.ts';
import { overridesApi } from '../../../src/covers/api-contract.ts';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { Loading } from '../kit/states.tsx';
import type { Zone } from '../kit/zones.ts';
import { Avatar } from '../people/avatar.tsx';
import { CoverCard } from './cover-card.tsx';
import { GiveDialog, type Purpose } from './give-dialog.tsx';
import classes from './schedules.module.css';
import { plannedOtherwise } from './shift-block.tsx';
import { SwapDialog } from './swap-dialog.tsx';
import { isAbout } from './track.tsx';
import { useShiftAct } from './use-shift-act.ts';
import { Why } from './why.tsx';

type Props = {
  shiftId: string;
  shift: TimelineShift | undefined;
  loading: boolean;
  schedule: ScheduleSettings;
  covers: readonly Cover[];
  zone: Zone;
  now: number;
  close: () => void;
};

/** One shift: whose it is, why, and the actions on it. */
export function ShiftDrawer(props: Props) {
  const { shift, loading, close } = props;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={420}
      title={
        shift
          ? t('Stage {stage}, {name}', { stage: shift.stage, name: shift.person?.name ?? t('nobody') })
          : t('Shift')
      }
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {shift && <Details {...props} shift={shift} />}
      {!shift && loading && <Loading rows={3} />}
      {!shift && !loading && (
        <p className="muted">{t('This shift no longer exists. The schedule may have been planned again.')}</p>
      )}
    </Drawer>
  );
}

function Details({ shift, schedule, covers, zone, now }: Props & { shift: TimelineShift }) {
  const session = useQuery(sessionQuery).data;
  const [from, to] = [Date.parse(shift.starts_at), Date.parse(shift.ends_at)];
  const was = plannedOtherwise(shift);
  const about = covers.filter((cover) => isAbout(cover, shift));
  const mine = shift.person !== null && shift.person.id === session?.user.id;
  const over = to <= now;
  return (
    <div className="stack" style={{ gap: 20 }}>
      <div className="row">
        {shift.person && <Avatar person={shift.person} size={34} />}
        <span className="grow">
          <b>{shift.person?.name ?? t('Nobody is on call')}</b>
          <br />
          <span className="muted">
            {zone.moment(from, now)} – {zone.moment(to, now)} {zone.city}
          </span>
        </span>
        {shift.person === null && <Pill tone="alarm">{t('gap')}</Pill>}
        {shift.away && shift.person && <Pill tone="watch">{t('away')}</Pill>}
        {from <= now && now < to && shift.person && <Pill tone="calm">{t('on call now')}</Pill>}
      </div>
      {shift.person === null && (
        <p className="muted">
          {schedule.backstop
            ? t('{name}, the backstop, would be paged.', { name: schedule.backstop.name })
            : t('Pages go on to the next stage, and then to every member of the team.')}
        </p>
      )}
      {about.map((cover) => (
        <CoverCard key={cover.id} cover={cover} when={(at) => zone.moment(Date.parse(at), now)} />
      ))}
      {!over && (mine || schedule.may_manage) && <Actions {...{ shift, schedule, zone, now, mine }} />}
      <Why shiftId={shift.id} />
      <dl className={classes.facts}>
        {was && (
          <>
            <dt>{t('Planned')}</dt>
            <dd>{was.name}</dd>
          </>
        )}
        {shift.override && (
          <>
            <dt>{t('Changed by')}</dt>
            <dd>
              {t('{name}, {time}', {
                name: shift.override.created_by?.name ?? t("the operator's file"),
                time: zone.moment(Date.parse(shift.override.created_at), now),
              })}
            </dd>
          </>
        )}
        <dt>{shift.planned ? t('Planned on') : t('Created on')}</dt>
        <dd>{zone.moment(Date.parse(shift.created_at), now)}</dd>
        <dt>{t('Shift ID')}</dt>
        <dd className="mono faint">{shift.id}</dd>
      </dl>
    </div>
  );
}

function Actions({
  shift,
  schedule,
  zone,
  now,
  mine,
}: {
  shift: TimelineShift;
  schedule: ScheduleSettings;
  zone: Zone;
  now: number;
  mine: boolean;
}) {
  const [purpose, setPurpose] = useState<Purpose | 'swap' | null>(null);
  const act = useShiftAct();
  const close = () => setPurpose(null);
  const takeBack = () =>
    act.mutate({
      run: () =>
        send(overridesApi.remove, { params: { id: schedule.id, override: shift.override?.id ?? '' } }),
    });
  return (
    <div className="row wrap" style={{ gap: 8 }}>
      {shift.person && (
        <>
          <Button variant="default" onClick={() => setPurpose('offer')}>
            {mine ? t('Find a cover') : t('Find a cover for them')}
          </Button>
          <Button variant="default" onClick={() => setPurpose('swap')}>
            {t('Swap')}
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => setPurpose('hand-over')}>
        {shift.person ? t('Hand over') : t('Give to somebody')}
      </Button>
      {shift.override && (
        <Button variant="default" loading={act.isPending} onClick={takeBack}>
          {t('Undo the change')}
        </Button>
      )}
      {(purpose === 'offer' || purpose === 'hand-over') && (
        <GiveDialog {...{ shift, purpose, zone, now, close }} />
      )}
      {purpose === 'swap' && <SwapDialog {...{ shift, schedule, zone, now, close }} />}
    </div>
  );
}
