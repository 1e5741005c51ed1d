import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { ClockChoice, Profile } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Unread } from '../kit/states.tsx';
import { cityOf, deviceZone } from '../kit/time-formats.ts';
import { showToast } from '../kit/toast.ts';
import { zoneNames } from '../kit/zone-names.ts';
import classes from './about.module.css';
import { profileQuery } from './queries.ts';

/** The viewer's name, handle, zone, clock and sleeping hours. */
export function AboutYou() {
  const { data, error, refetch } = useQuery(profileQuery);
  return (
    <section className="stack" aria-label="About you">
      <h2>About you</h2>
      {!data && <Unread error={error} again={refetch} rows={2} />}
      {data && <AboutForm key={JSON.stringify(data)} profile={data} />}
    </section>
  );
}

const FIELDS = ['name', 'username', 'time_zone', 'sleep', 'clock'] as const;

const CLOCKS: { value: ClockChoice; label: string }[] = [
  { value: 'device', label: 'As the browser' },
  { value: '24', label: '24 hours' },
  { value: '12', label: '12 hours' },
];

function AboutForm({ profile }: { profile: Profile }) {
  const client = useQueryClient();
  const [name, setName] = useState(profile.name);
  const [username, setUsername] = useState(profile.username);
  const [zone, setZone] = useState(profile.time_zone);
  const [sleep, setSleep] = useState(profile.sleep);
  const [clock, setClock] = useState(profile.clock);
  const clockLabel = useId();
  const save = useMutation({
    mutationFn: () =>
      send(peopleApi.changeProfile, { body: { name, username, time_zone: zone, sleep, clock } }),
    onSuccess: async (saved) => {
      showToast('Saved.');
      client.setQueryData(profileQuery.queryKey, saved);
      await Promise.all(['session', 'people'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  const changed =
    name !== profile.name ||
    username !== profile.username ||
    zone !== profile.time_zone ||
    clock !== profile.clock ||
    sleep.from !== profile.sleep.from ||
    sleep.until !== profile.sleep.until;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="card pad stack" style={{ gap: 16 }} onSubmit={submit}>
      <div className={classes.pair}>
        <TextInput
          label="Name"
          required
          maxLength={200}
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(save.error, 'name')}
        />
        <TextInput
          label="Handle"
          description="Short, and yours alone: uploads and answers of the API name you by it"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          maxLength={100}
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={fieldError(save.error, 'username')}
        />
      </div>
      <Select
        label="Time zone"
        data={zoneNames(zone)}
        value={zone}
        onChange={(next) => next && setZone(next)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No zone of that name"
        error={fieldError(save.error, 'time_zone')}
      />
      {zone !== deviceZone() && (
        <div className="row wrap">
          <span className="muted">
            This device is in {cityOf(deviceZone())}; the dashboard shows times in {cityOf(zone)}.
          </span>
          <Button variant="default" onClick={() => setZone(deviceZone())}>
            Use {cityOf(deviceZone())}
          </Button>
        </div>
      )}
      <div className="stack tight">
        <span id={clockLabel} style={{ fontWeight: 500 }}>
          Clock
        </span>
        <div>
          <SegmentedControl
            aria-labelledby={clockLabel}
            value={clock}
            onChange={(value) => setClock(value as ClockChoice)}
            data={CLOCKS}
          />
        </div>
      </div>
      <fieldset className={classes.plain}>
        <legend>You usually sleep</legend>
        <div className="row wrap">
          <TextInput
            type="time"
            aria-label="From"
            required
            value={sleep.from}
            onChange={(event) => setSleep({ ...sleep, from: event.currentTarget.value })}
          />
          <span className="muted">until</span>
          <TextInput
            type="time"
            aria-label="Until"
            required
            value={sleep.until}
            onChange={(event) => setSleep({ ...sleep, until: event.currentTarget.value })}
          />
        </div>
        <p className="muted">Pages come all the same. Reports count who was woken, by your own clock.</p>
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
          Save
        </Button>
        {changed && <span className="muted">not saved yet</span>}
      </div>
    </form>
  );
}
