import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import type { ClockChoice, Profile } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Unread } from '../kit/states.tsx';
import { cityOf, deviceZone } from '../kit/time-formats.ts';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { zoneNames } from '../kit/zone-names.ts';
import { LANGUAGE_OPTIONS, t, tIn } from '../language/t.ts';
import classes from './about.module.css';
import { profileQuery } from './queries.ts';

/** The viewer's name, handle, zone, clock and sleeping hours. */
export function AboutYou() {
  const { data, error, refetch } = useQuery(profileQuery);
  return (
    <section className="stack" aria-label={t('About you')}>
      <h2>{t('About you')}</h2>
      {!data && <Unread error={error} again={refetch} rows={2} />}
      {data && <AboutForm profile={data} />}
    </section>
  );
}

const FIELDS = ['name', 'username', 'time_zone', 'sleep', 'clock', 'language'] as const;
const OF_THE_BROWSER = 'browser';

const CLOCKS: { value: ClockChoice; label: string }[] = [
  { value: 'device', label: t('Same as the browser') },
  { value: '24', label: t('24 hours') },
  { value: '12', label: t('12 hours') },
];

function changeable({ name, username, time_zone, sleep, clock, language }: Profile) {
  return { name, username, time_zone, sleep, clock, language };
}

function AboutForm({ profile }: { profile: Profile }) {
  const client = useQueryClient();
  const { values, set, changes, saved } = useFields(changeable(profile));
  const { name, username, time_zone: zone, sleep, clock, language } = values;
  const clockLabel = useId();
  const save = useMutation({
    mutationFn: (_: typeof values) => send(peopleApi.changeProfile, { body: changes }),
    onSuccess: async (now, sent) => {
      showToast(t('Saved.'));
      client.setQueryData(profileQuery.queryKey, now);
      saved(sent);
      await Promise.all(['session', 'people'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  const changed = Object.keys(changes).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(values);
  };
  return (
    <form className="card pad stack" style={{ gap: 16 }} onSubmit={submit}>
      <div className={classes.pair}>
        <TextInput
          label={t('Name')}
          required
          maxLength={200}
          autoComplete="name"
          value={name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={fieldError(save.error, 'name')}
        />
        <TextInput
          label={t('Handle')}
          description={t('Short and unique: uploads and API answers use it to name you')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          maxLength={100}
          autoComplete="off"
          value={username}
          onChange={(event) => set({ username: event.currentTarget.value })}
          error={fieldError(save.error, 'username')}
        />
      </div>
      {LANGUAGE_OPTIONS.length > 1 && (
        <Select
          label={t('Language')}
          description={t(
            'For the dashboard, messages and calls. Without a choice, messages and calls are in the language of the organization.',
          )}
          data={[{ value: OF_THE_BROWSER, label: t('Same as the browser') }, ...LANGUAGE_OPTIONS]}
          value={language ?? OF_THE_BROWSER}
          onChange={(next) =>
            set({ language: LANGUAGE_OPTIONS.find(({ value }) => value === next)?.value ?? null })
          }
          allowDeselect={false}
          error={fieldError(save.error, 'language')}
        />
      )}
      <Select
        label={t('Time zone')}
        data={zoneNames(zone)}
        value={zone}
        onChange={(next) => next && set({ time_zone: next })}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('No time zone with that name')}
        error={fieldError(save.error, 'time_zone')}
      />
      {zone !== deviceZone() && (
        <div className="row wrap">
          <span className="muted">
            {t('This device is in {device}; the dashboard shows times in {zone}.', {
              device: cityOf(deviceZone()),
              zone: cityOf(zone),
            })}
          </span>
          <Button variant="default" onClick={() => set({ time_zone: deviceZone() })}>
            {t('Use {zone}', { zone: cityOf(deviceZone()) })}
          </Button>
        </div>
      )}
      <div className="stack tight">
        <span id={clockLabel} style={{ fontWeight: 500 }}>
          {t('Clock')}
        </span>
        <div>
          <SegmentedControl
            aria-labelledby={clockLabel}
            value={clock}
            onChange={(value) => set({ clock: value as ClockChoice })}
            data={CLOCKS}
          />
        </div>
      </div>
      <fieldset className={classes.plain}>
        <legend>{t('You usually sleep')}</legend>
        <div className="row wrap">
          <TextInput
            type="time"
            aria-label={t('From')}
            required
            value={sleep.from}
            onChange={(event) => set({ sleep: { ...sleep, from: event.currentTarget.value } })}
          />
          <span className="muted">{tIn('from a time … until a time', 'until')}</span>
          <TextInput
            type="time"
            aria-label={t('Until')}
            required
            value={sleep.until}
            onChange={(event) => set({ sleep: { ...sleep, until: event.currentTarget.value } })}
          />
        </div>
        <p className="muted">
          {t('Pages still reach you. Reports count whom they woke, in each person’s own time zone.')}
        </p>
        {fieldError(save.error, 'sleep') && (
          <p className="ink-alarm" role="alert">
            {fieldError(save.error, 'sleep')}
          </p>
        )}
      </fieldset>
      {otherError(save.error, FIELDS) && (
        <p className="ink-alarm" role="alert">
          {otherError(save.error, FIELDS)}
        </p>
      )}
      <div className="row">
        <Button type="submit" variant="default" disabled={!changed} loading={save.isPending}>
          {t('Save')}
        </Button>
        {changed && <span className="muted">{t('not saved yet')}</span>}
      </div>
    </form>
  );
}
