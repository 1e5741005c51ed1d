import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  ScheduleChanges,
  ScheduleOverview,
  ScheduleSaved,
  ScheduleSettings,
} from '../../../src/schedules/settings-contract.ts';
import { schedulesApi } from '../../../src/schedules/settings-contract.ts';
import { send } from '../api/call.ts';
import { endingOf, useIsEnding } from '../api/ending.ts';
import { sessionQuery } from '../api/queries.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { asSentence } from '../kit/detail.ts';
import { ExplainedButton } from '../kit/explained-button.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { inClock } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { Holidays } from './holidays.tsx';
import { scheduleQuery, schedulesQuery } from './queries.ts';
import { ScheduleFields } from './schedule-form.tsx';
import { bodyOf, changesOf, formOf, newForm, type ScheduleForm } from './schedule-form-state.ts';

/** Creates a schedule. */
export function NewScheduleView() {
  const { data, error, refetch } = useQuery(schedulesQuery);
  const session = useQuery(sessionQuery).data;
  const now = useNow(60_000).getTime();
  const save = useSave(null);
  return (
    <div className="view">
      <h1>{t('New schedule')}</h1>
      {!data && <Unread error={error} again={refetch} rows={4} />}
      {data?.may_make_for.length === 0 && (
        <Empty>{t("A team's managers, admins and owners create schedules; ask one of them.")}</Empty>
      )}
      {data && session && data.may_make_for.length > 0 && (
        <ScheduleFields
          own={null}
          start={newForm(usualTeam(data, session.teams), session.organization.time_zone || viewerZone().name)}
          teams={data.may_make_for}
          now={now}
          error={save.error}
          busy={save.isPending}
          save={save.mutate}
          label={t('Create the schedule and plan it')}
        >
          <Button variant="default" component={Link} to="/schedules">
            {t('Cancel')}
          </Button>
        </ScheduleFields>
      )}
    </div>
  );
}

function usualTeam({ may_make_for }: ScheduleOverview, own: readonly { id: string }[]): string | null {
  const [first] = may_make_for.filter(({ id }) => own.some((team) => team.id === id));
  return (first ?? may_make_for[0])?.id ?? null;
}

/** Edits or deletes a schedule. */
export function EditScheduleView() {
  const { id } = useParams({ from: '/schedules/$id/edit' });
  const ending = useIsEnding(id);
  const { data, error, refetch } = useQuery({
    ...scheduleQuery(id),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !ending,
  });
  const overview = useQuery(schedulesQuery).data;
  const now = useNow(60_000).getTime();
  const stored = data && formOf(data);
  const save = useSave(id, stored);
  const [asked, setAsked] = useState<{ form: ScheduleForm; preview: ScheduleChanges } | null>(null);
  const check = useMutation({
    mutationFn: (form: ScheduleForm) =>
      send(schedulesApi.preview, { params: { id }, body: changesOf(stored, form) }),
    onSuccess(preview, form) {
      const { handed_over, other_hours } = preview.published;
      if (handed_over + other_hours > 0) setAsked({ form, preview });
      else save.mutate(form);
    },
  });
  return (
    <div className="view">
      <h1>{data ? t('Change {name}', { name: data.name }) : t('Change a schedule')}</h1>
      {!(data && overview) && <Unread error={error} again={refetch} rows={4} />}
      {data?.warnings.map((warning) => (
        <p key={warning} className="ink-watch">
          {inClock(warning)}
        </p>
      ))}
      {data && stored && overview && (
        <ScheduleFields
          own={id}
          start={stored}
          teams={withTeam(overview.may_make_for, data.team)}
          now={now}
          error={check.error ?? save.error}
          busy={check.isPending || save.isPending}
          save={check.mutate}
          label={t('Save and plan')}
        >
          <Removal schedule={data} />
          <span className="grow" />
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/schedules/$id" params={{ id }} {...props} />}
          >
            {t('Cancel')}
          </Button>
        </ScheduleFields>
      )}
      {data && <Holidays mayAdd scheduleId={data.id} />}
      {asked && (
        <ConfirmDialog
          title={t('Change published shifts?')}
          keep={t('Go back')}
          go={t('Save and plan')}
          busy={save.isPending}
          close={() => setAsked(null)}
          act={() => save.mutate(asked.form, { onSettled: () => setAsked(null) })}
        >
          <WhatMoves changes={asked.preview} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function withTeam(teams: readonly { id: string; name: string }[], team: { id: string; name: string }) {
  return teams.some(({ id }) => id === team.id) ? teams : [...teams, team];
}

/** `stored`: the settings that the form began with or that somebody else has saved since; undefined for a new schedule. */
function useSave(id: string | null, stored?: ScheduleForm) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (form: ScheduleForm) =>
      id === null
        ? send(schedulesApi.create, { body: bodyOf(form) })
        : send(schedulesApi.change, { params: { id }, body: changesOf(stored, form) }),
    async onSuccess(saved) {
      const done =
        id === null ? t('{name} is created and planned.', { name: saved.name }) : whatChanged(saved);
      showToast(inClock([done, ...saved.warnings].join(' ')));
      void client.invalidateQueries({ queryKey: ['schedules'] });
      await navigate({ to: '/schedules/$id', params: { id: saved.id } });
    },
  });
}

function WhatMoves({ changes: { published, draft_follows, warnings } }: { changes: ScheduleChanges }) {
  const { sentence } = published;
  return (
    <div className="stack tight">
      <p className="strong">{inClock(asSentence(sentence))}</p>
      <p>{t('Everybody whose shifts change is notified.')}</p>
      {draft_follows && (
        <p>{t('All other shifts stay. If a new plan would be better, you get it as a draft to publish.')}</p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="ink-watch">
          {inClock(warning)}
        </p>
      ))}
    </div>
  );
}

function whatChanged({ changes }: ScheduleSaved): string {
  const [first] = changes;
  if (first === undefined) return t('Nothing had to change.');
  if (changes.length > 1) return t('{count} changes are saved and planned.', { count: changes.length });
  return asSentence(first);
}

function Removal({ schedule }: { schedule: ScheduleSettings }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationKey: endingOf(schedule.id),
    mutationFn: () => send(schedulesApi.remove, { params: { id: schedule.id } }),
    async onSuccess() {
      showToast(t('{name} is removed.', { name: schedule.name }));
      await navigate({ to: '/schedules' });
      await client.invalidateQueries({ queryKey: ['schedules'] });
    },
    onError: showFailure,
  });
  return (
    <>
      <ExplainedButton
        why={schedule.enabled ? t('Disable it first and save, because it may be answering pages.') : null}
        label={t('Remove')}
        act={() => setAsking(true)}
      />
      {asking && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: schedule.name })}
          keep={t('Keep it')}
          go={t('Remove it')}
          busy={remove.isPending}
          close={() => setAsking(false)}
          act={() => remove.mutate()}
        >
          {t('All its shifts are deleted, including past ones. This cannot be undone.')}
        </ConfirmDialog>
      )}
    </>
  );
}
