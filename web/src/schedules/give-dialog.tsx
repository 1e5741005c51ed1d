import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Candidate } from '../../../src/covers/api-contract.ts';
import { shiftsApi } from '../../../src/covers/api-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { nothingFound } from '../kit/nothing-found.ts';
import { inClock } from '../kit/time.ts';
import { TIMES, TimesFields } from '../kit/times-fields.tsx';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { candidatesQuery } from './queries.ts';
import { useShiftAct } from './use-shift-act.ts';
import { WordField } from './word-field.tsx';

/** `offer` creates a cover that somebody has to accept; `hand-over` gives the shift away at once. */
export type Purpose = 'offer' | 'hand-over';

const WORDS = {
  offer: {
    title: t('Find a cover'),
    hint: t(
      'The shift stays with its owner until somebody takes it. The people who could take it are notified at once.',
    ),
    who: t('Propose it to (empty: anybody who can)'),
    button: t('Find a cover'),
  },
  'hand-over': {
    title: t('Hand over'),
    hint: t('They take the shift at once and are notified. The original plan stays visible.'),
    who: t('Who takes it'),
    button: t('Hand over'),
  },
} as const;

/** Hands a shift, or a part of it, over to another person, or looks for somebody to cover it. */
export function GiveDialog({
  shift,
  purpose,
  zone,
  now,
  close,
}: {
  shift: TimelineShift;
  purpose: Purpose;
  zone: Zone;
  now: number;
  close: () => void;
}) {
  const { data } = useQuery(candidatesQuery(shift.id));
  const candidates = data?.candidates ?? [];
  const [to, setTo] = useState<string | null>(null);
  const [from, setFrom] = useState(zone.toInput(Math.max(Date.parse(shift.starts_at), now)));
  const [until, setUntil] = useState(zone.toInput(Date.parse(shift.ends_at)));
  const [note, setNote] = useState('');
  const act = useShiftAct({ inForm: true });
  const words = WORDS[purpose];
  const chosen = candidates.find(({ person }) => person.id === to);
  const give = () => {
    const times = timesOf(shift, zone.fromInput(from), zone.fromInput(until), now);
    const params = { id: shift.id };
    const offered = { ...(to ? { to } : {}), ...times, ...(note.trim() ? { note } : {}) };
    const run = () =>
      purpose === 'offer'
        ? send(shiftsApi.offer, { params, body: offered })
        : send(shiftsApi.handOver, { params, body: { to: to ?? '', ...times } });
    act.mutate({ run }, { onSuccess: close });
  };
  return (
    <FormDialog
      title={words.title}
      close={close}
      send={give}
      go={words.button}
      ready={purpose === 'offer' || to !== null}
      busy={act.isPending}
      error={otherError(act.error, ['to', 'note', ...TIMES])}
      above
    >
      <p className="muted">{words.hint}</p>
      <Select
        label={words.who}
        placeholder={t('Name')}
        data={choices(candidates)}
        value={to}
        onChange={setTo}
        searchable
        clearable={purpose === 'offer'}
        nothingFoundMessage={nothingFound(data, t('Nobody with that name'))}
        description={chosen && inClock(chosen.sentence)}
        error={fieldError(act.error, 'to')}
        // The list would cover the fields below.
        openOnFocus={false}
        data-autofocus
      />
      <TimesFields zone={zone} from={from} to={until} setFrom={setFrom} setTo={setUntil} error={act.error} />
      {purpose === 'offer' && (
        <WordField value={note} onChange={setNote} error={fieldError(act.error, 'note')} />
      )}
    </FormDialog>
  );
}

/** Eligible people first; the others are listed in a group of their own. */
function choices(candidates: readonly Candidate[]) {
  const item = ({ person }: Candidate) => ({ value: person.id, label: person.name });
  const free = candidates.filter((one) => one.free);
  const others = candidates.filter((one) => !one.free);
  return [
    { group: t('Could take it'), items: free.map(item) },
    { group: t('Something is in the way'), items: others.map(item) },
  ].filter(({ items }) => items.length > 0);
}

/** Only the times that differ from the whole shift. */
function timesOf(shift: TimelineShift, from: number | null, until: number | null, now: number) {
  const minute = (at: number) => Math.floor(at / 60_000);
  const whole = minute(Math.max(Date.parse(shift.starts_at), now));
  return {
    ...(from === null || minute(from) <= whole ? {} : { starts_at: new Date(from).toISOString() }),
    ...(until === null || minute(until) === minute(Date.parse(shift.ends_at))
      ? {}
      : { ends_at: new Date(until).toISOString() }),
  };
}
