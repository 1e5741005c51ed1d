import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shiftsApi } from '../../../src/covers/api-contract.ts';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { nothingFound } from '../kit/nothing-found.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { timelineQuery } from './queries.ts';
import { useShiftAct } from './use-shift-act.ts';
import { WordField } from './word-field.tsx';

/** How far ahead shifts are offered for a swap. */
const AHEAD_DAYS = 90;

/** Proposes a swap of two shifts. */
export function SwapDialog({
  shift,
  schedule,
  zone,
  now,
  close,
}: {
  shift: TimelineShift;
  schedule: ScheduleSettings;
  zone: Zone;
  now: number;
  close: () => void;
}) {
  const from = zone.startOfDay(now);
  const { data } = useQuery(timelineQuery(schedule.id, { from, to: zone.addDays(from, AHEAD_DAYS) }));
  const [other, setOther] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const act = useShiftAct({ inForm: true });
  const others = (data?.shifts ?? []).filter(
    ({ person, starts_at }) => person && person.id !== shift.person?.id && Date.parse(starts_at) > now,
  );
  const propose = () => {
    if (other === null) return;
    const body = { with: other, ...(note.trim() ? { note } : {}) };
    act.mutate({ run: () => send(shiftsApi.swap, { params: { id: shift.id }, body }) }, { onSuccess: close });
  };
  return (
    <FormDialog
      title={t('Swap')}
      close={close}
      send={propose}
      go={t('Propose the swap')}
      ready={other !== null}
      busy={act.isPending}
      error={otherError(act.error, ['with', 'note'])}
      above
    >
      <p className="muted">
        {t('Trade the shift of {time} for a colleague’s. Nothing changes until they agree.', {
          time: zone.moment(Date.parse(shift.starts_at), now),
        })}
      </p>
      <Select
        label={t('For which shift')}
        placeholder={t('Name or date')}
        data={others.map((one) => ({
          value: one.id,
          label: t('{name}, stage {stage}, {time}', {
            name: one.person?.name ?? t('nobody'),
            stage: one.stage,
            time: zone.moment(Date.parse(one.starts_at), now),
          }),
        }))}
        value={other}
        onChange={setOther}
        searchable
        nothingFoundMessage={nothingFound(data, t('No such shift'))}
        error={fieldError(act.error, 'with')}
        // The list would cover the fields below.
        openOnFocus={false}
        data-autofocus
      />
      <WordField value={note} onChange={setNote} error={fieldError(act.error, 'note')} />
    </FormDialog>
  );
}
