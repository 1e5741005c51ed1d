import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { windowsApi } from '../../../src/sources/windows-api-contract.ts';
import { send } from '../api/call.ts';
import { serviceNow } from '../kit/clock.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { nothingFound } from '../kit/nothing-found.ts';
import { RepeatFields } from '../kit/repeat-fields.tsx';
import { type RepeatChoice, ruleOf } from '../kit/repeat-words.ts';
import { TimesFields } from '../kit/times-fields.tsx';
import { showToast } from '../kit/toast.ts';
import { zoneNames } from '../kit/zone-names.ts';
import { viewerZone, type Zone, zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import form from '../schedules/form.module.css';
import { sourcesQuery } from '../sources/queries.ts';
import { EffectField } from './effect-field.tsx';
import { lastWeekWords } from './last-week.ts';
import { MatchField } from './match-field.tsx';
import { matchersOf } from './matchers.ts';
import { Occurrences } from './occurrences.tsx';
import { type NewWindow, previewQuery } from './queries.ts';

const FIELDS = ['name', 'source', 'match', 'starts_at', 'ends_at', 'rrule', 'zone', 'repeats_until'];
type Values = {
  name: string;
  source: string | null;
  match: string;
  zone: string;
  from: string;
  to: string;
  repeats: RepeatChoice;
  rule: string;
  last: string;
  effect: 'hold' | 'record';
};

/** Makes a maintenance window of a team, with a preview of when it holds and what it would have held. */
export function WindowDialog({ team, close }: { team: TeamSummary; close: () => void }) {
  const client = useQueryClient();
  const [value, setValue] = useState(initial);
  const set = (change: Partial<Values>) => {
    make.reset();
    setValue((before) => ({ ...before, ...change }));
  };
  const zone = zoneOf(value.zone);
  const wanted = bodyOf(value, team.slug, zone);
  const { name: _, ...previewed } = wanted;
  const [settled] = useDebouncedValue(JSON.stringify(previewed), 300);
  const preview = useQuery(previewQuery(JSON.parse(settled) as NewWindow));
  const make = useMutation({
    mutationFn: () => send(windowsApi.create, { body: wanted }),
    onSuccess: async () => {
      close();
      showToast(t('The maintenance window is set.'));
      await client.invalidateQueries({ queryKey: ['windows'] });
    },
  });
  const error = make.error ?? preview.error;
  return (
    <FormDialog
      title={t('Maintenance window of {team}', { team: team.name })}
      close={close}
      send={() => make.mutate()}
      go={t('Set the window')}
      ready={value.name.trim() !== '' && zone.fromInput(value.to) !== null}
      busy={make.isPending}
      error={otherError(error, FIELDS)}
    >
      <TextInput
        label={t('Name')}
        placeholder={t('New switches')}
        maxLength={200}
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(make.error, 'name')}
        required
        data-autofocus
      />
      <SourceField team={team.slug} value={value.source} set={(source) => set({ source })} />
      <MatchField value={value.match} set={(match) => set({ match })} error={fieldError(error, 'match')} />
      <div className={form.fields}>
        <TimesFields
          zone={zone}
          from={value.from}
          to={value.to}
          setFrom={(from) => set({ from })}
          setTo={(to) => set({ to })}
          error={error}
        />
      </div>
      <RepeatFields
        choice={value.repeats}
        rule={value.rule}
        weekday={weekdayOf(value, zone)}
        setChoice={(repeats) => set({ repeats })}
        setRule={(rule) => set({ rule })}
        error={fieldError(error, 'rrule')}
      />
      {value.repeats !== 'once' && <RepeatEnd value={value} set={set} error={error} />}
      <EffectField value={value.effect} set={(effect) => set({ effect })} />
      {preview.data && !preview.error && (
        <div className="card pad stack" style={{ gap: 10 }} role="status">
          <b>{value.repeats === 'once' ? t('When') : t('Next times')}</b>
          <Occurrences occurrences={preview.data.occurrences} zone={zone} now={serviceNow()} />
          {preview.data.last_week && <span className="muted">{lastWeekWords(preview.data.last_week)}</span>}
        </div>
      )}
    </FormDialog>
  );
}

/** Two hours from the next full hour, for everything that the sources of the team report. */
function initial(): Values {
  const zone = viewerZone();
  const hour = 3_600_000;
  const next = Math.ceil(serviceNow().getTime() / hour) * hour;
  return {
    ...{ name: '', source: null, match: '', zone: zone.name, repeats: 'once', rule: '', last: '' },
    from: zone.toInput(next),
    to: zone.toInput(next + 2 * hour),
    effect: 'hold',
  };
}

function bodyOf(value: Values, team: string, zone: Zone): NewWindow {
  const instant = (typed: string) => {
    const at = zone.fromInput(typed);
    return at === null ? undefined : new Date(at).toISOString();
  };
  const match = matchersOf(value.match);
  const rrule = ruleOf(value.repeats, weekdayOf(value, zone), value.rule);
  const lastDay = zone.ofDate(value.last);
  const [starts_at, ends_at] = [instant(value.from), instant(value.to)];
  return {
    team,
    name: value.name.trim(),
    effect: value.effect,
    ...(value.source === null ? {} : { source: value.source }),
    ...(match.length === 0 ? {} : { match }),
    ...(starts_at ? { starts_at } : {}),
    ...(ends_at ? { ends_at } : {}),
    ...(rrule === null ? {} : { rrule, zone: zone.name }),
    ...(rrule === null || lastDay === null
      ? {}
      : { repeats_until: new Date(zone.addDays(lastDay, 1)).toISOString() }),
  };
}

function weekdayOf({ from }: Values, zone: Zone): number {
  return zone.weekday(zone.fromInput(from) ?? serviceNow().getTime());
}

function SourceField({
  team,
  value,
  set,
}: {
  team: string;
  value: string | null;
  set: (source: string | null) => void;
}) {
  const { data } = useQuery(sourcesQuery(team));
  return (
    <Select
      label={t('Source')}
      placeholder={t('All page sources of the team')}
      data={(data?.sources ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={set}
      clearable
      searchable
      nothingFoundMessage={nothingFound(data, t('No source with that name'))}
    />
  );
}

/** In which zone a window repeats, and until when. */
function RepeatEnd({
  value,
  set,
  error,
}: {
  value: Values;
  set: (change: Partial<Values>) => void;
  error: Error | null;
}) {
  return (
    <div className={form.fields}>
      <Select
        label={t('Time zone')}
        data={zoneNames(viewerZone().name)}
        value={value.zone}
        onChange={(name) => name && set({ zone: name })}
        searchable
        allowDeselect={false}
        error={fieldError(error, 'zone')}
      />
      <TextInput
        type="date"
        label={t('Last day')}
        description={t('Empty: until somebody ends it')}
        value={value.last}
        onChange={(event) => set({ last: event.currentTarget.value })}
        error={fieldError(error, 'repeats_until')}
      />
    </div>
  );
}
