import { Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { overridesApi } from '../../../src/covers/api-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { send } from '../api/call.ts';
import { peopleQuery } from '../api/queries.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { inClock } from '../kit/time.ts';
import { TIMES, TimesFields } from '../kit/times-fields.tsx';
import { showUndo } from '../kit/undo.tsx';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';

/** Initial values of an override; null must be chosen in the dialog. Times in epoch milliseconds. */
export type NewOverride = {
  stage: number | null;
  seat: number | null;
  person: string | null;
  from: number;
  to: number;
};

/** Creates an override. */
export function OverrideDialog({
  schedule,
  people,
  start,
  zone,
  close,
}: {
  schedule: ScheduleSettings;
  people: readonly Person[];
  start: NewOverride;
  zone: Zone;
  close: () => void;
}) {
  const everybody = useQuery(peopleQuery).data?.people ?? [];
  const client = useQueryClient();
  const [stage, setStage] = useState(start.stage ?? schedule.stages[0]?.stage ?? 1);
  const [person, setPerson] = useState(start.person);
  const [from, setFrom] = useState(zone.toInput(start.from));
  const [to, setTo] = useState(zone.toInput(start.to));
  const refresh = () => client.invalidateQueries({ queryKey: ['schedules'] });
  const save = useMutation({
    mutationFn: () =>
      send(overridesApi.create, {
        params: { id: schedule.id },
        body: {
          stage,
          ...(start.stage === stage && start.seat !== null ? { seat: start.seat } : {}),
          user: person ?? '',
          starts_at: instant(zone.fromInput(from)) ?? '',
          ends_at: instant(zone.fromInput(to)) ?? '',
        },
      }),
    async onSuccess({ message, warnings, override }) {
      close();
      showUndo(inClock([message, ...warnings].join(' ')), async () => {
        await send(overridesApi.remove, { params: { id: schedule.id, override: override.id } });
        await refresh();
      });
      await refresh();
    },
  });
  const hasStages = schedule.stages.length > 1;
  const members = new Set(people.map(({ id }) => id));
  const choice = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <FormDialog
      title={t('Put somebody on call')}
      close={close}
      send={() => save.mutate()}
      go={t('Put on call')}
      ready={person !== null}
      busy={save.isPending}
      error={otherError(save.error, ['user', ...(hasStages ? ['stage'] : []), ...TIMES])}
    >
      <p className="muted">
        {t('They are on call for this time regardless of the plan. The plan stays visible.')}
      </p>
      <Select
        label={t('Who')}
        placeholder={t('Name')}
        data={[
          { group: t('Of this schedule'), items: people.map(choice) },
          { group: t('Others'), items: everybody.filter(({ id }) => !members.has(id)).map(choice) },
        ]}
        value={person}
        onChange={setPerson}
        searchable
        nothingFoundMessage={t('Nobody with that name')}
        error={fieldError(save.error, 'user')}
        // The list would cover the fields below.
        openOnFocus={false}
        data-autofocus
      />
      {hasStages && (
        <Select
          label={t('Stage')}
          data={schedule.stages.map((one) => ({
            value: String(one.stage),
            label: t('Stage {stage}', { stage: one.stage }),
          }))}
          value={String(stage)}
          onChange={(value) => value && setStage(Number(value))}
          error={fieldError(save.error, 'stage')}
          allowDeselect={false}
        />
      )}
      <TimesFields zone={zone} from={from} to={to} setFrom={setFrom} setTo={setTo} error={save.error} />
    </FormDialog>
  );
}

function instant(at: number | null): string | undefined {
  return at === null ? undefined : new Date(at).toISOString();
}
