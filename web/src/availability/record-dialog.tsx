import { Button, Checkbox, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RecordShown } from '../../../src/availability/api-contract.ts';
import { recordsApi } from '../../../src/availability/api-contract.ts';
import type { AvailabilityType } from '../../../src/availability/contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { RepeatFields } from '../kit/repeat-fields.tsx';
import { choiceOf, REPEAT_CHOICES, repeatSentence, ruleOf } from '../kit/repeat-words.ts';
import { TIMES, TimesFields } from '../kit/times-fields.tsx';
import { showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';
import { useEntered } from '../kit/use-entered.ts';
import { useFields } from '../kit/use-fields.ts';
import { useRefusalFocus } from '../kit/use-refusal-focus.ts';
import { type Zone, zoneOf } from '../kit/zones.ts';
import { t, tIn } from '../language/t.ts';
import form from '../schedules/form.module.css';
import { personShiftsQuery } from '../schedules/queries.ts';
import { FormAlert } from '../sign-in/ended.tsx';
import { hits } from './calendar.tsx';
import { KINDS, privateWords } from './kinds.ts';
import { recordsQuery } from './queries.ts';
import { removeRecord, useRecordsChanged } from './removing.ts';

/** A new record for the days from `first` to `last`, each given as its first instant, or an existing record. */
export type Saying = { first: number; last: number } | { record: RecordShown };

/** Records when somebody cannot be on call, prefers not to be, or wants to be. */
export function RecordDialog({
  saying,
  person,
  zone: viewerZone,
  now,
  close,
}: {
  saying: Saying;
  /** Null: the viewer. */
  person: string | null;
  zone: Zone;
  now: number;
  close: () => void;
}) {
  const record = useLatest('record' in saying ? saying.record : null);
  const repeats = record?.repeats ?? null;
  // The form of a record that repeats shows its first time, in the zone in which it repeats.
  const zone = repeats ? zoneOf(repeats.zone) : viewerZone;
  const known = repeats ?? record;
  const [from, to] = known
    ? [Date.parse(known.starts_at), Date.parse(known.ends_at)]
    : 'first' in saying
      ? [saying.first, zone.addDays(saying.last, 1)]
      : [now, now];
  const { values, set, changes } = useFields({
    type: record?.type ?? ('hard_unavailable' satisfies AvailabilityType),
    name: record?.name ?? '',
    private: record?.private ?? false,
    first: zone.toInput(from),
    last: zone.toInput(to),
    choice: choiceOf(repeats?.rrule ?? null, zone.weekday(from)),
    rule: repeats?.rrule ?? '',
    lastDay: repeats?.until ? zone.date(Date.parse(repeats.until) - 1) : '',
  });
  const { type, name, private: isPrivate, first, last, choice, rule, lastDay } = values;
  const [chosenWhole, setWhole] = useState<boolean | null>(null);
  const whole = chosenWhole ?? (isWhole(from, zone) && isWhole(to, zone));
  const client = useQueryClient();
  const changed = useRecordsChanged();
  const startsAt = zone.fromInput(first) ?? from;
  const endsAt = zone.fromInput(last) ?? to;
  const span = { from: Math.min(startsAt, endsAt - 1), to: endsAt };
  const shifts = useQuery({
    ...personShiftsQuery(person, span),
    enabled: type === 'hard_unavailable' && startsAt < endsAt && endsAt - startsAt < 366 * 86_400_000,
  }).data?.shifts;
  const times = { starts_at: new Date(startsAt).toISOString(), ends_at: new Date(endsAt).toISOString() };
  const hit = (shifts ?? []).filter(
    (shift) => hits({ type, ...times }, shift) && Date.parse(shift.ends_at) > now,
  );
  const mayRepeat = type !== 'requested' && (record === null || repeats !== null);
  const rrule = mayRepeat ? ruleOf(choice, zone.weekday(startsAt), rule) : null;
  const lastAt = zone.ofDate(lastDay);
  const until = lastAt === null ? null : new Date(zone.addDays(lastAt, 1)).toISOString();
  const repeating = rrule === null ? {} : { rrule, zone: zone.name };
  const save = useMutation({
    mutationFn: () =>
      record
        ? send(recordsApi.change, {
            params: { id: record.id },
            body: {
              ...('type' in changes ? { type } : {}),
              ...('name' in changes ? { name } : {}),
              ...('private' in changes ? { private: isPrivate } : {}),
              ...('first' in changes ? { starts_at: times.starts_at } : {}),
              ...('last' in changes ? { ends_at: times.ends_at } : {}),
              ...(repeats && rrule !== repeats.rrule ? repeating : {}),
              ...(repeats && 'lastDay' in changes ? { repeats_until: until } : {}),
            },
          })
        : send(recordsApi.create, {
            body: {
              ...(person === null ? {} : { person }),
              ...{ type, name, private: isPrivate, ...times, ...repeating },
              ...(rrule === null || until === null ? {} : { repeats_until: until }),
            },
          }),
    async onSuccess(answer) {
      close();
      if (record) showToast(t('Changed.'));
      else showUndo(t('Saved.'), () => removeRecord(client, answer.record, 'all'));
      await changed();
    },
  });
  const remove = useMutation({
    mutationFn: (which: 'one' | 'all') => (record ? removeRecord(client, record, which) : Promise.resolve()),
    onSuccess: close,
  });
  const shown = ['name', 'rrule', 'repeats_until', ...TIMES];
  const problem = otherError(save.error, shown) ?? remove.error?.message;
  const formElement = useRefusalFocus(save.isPending);
  const { entered, entering } = useEntered();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  if (record && !record.may_change)
    return (
      <Modal opened onClose={close} title={record.name || KINDS[record.type].short}>
        <p className="muted">
          {record.source
            ? record.source.name
              ? t('This follows the calendar {name}; change it there.', { name: record.source.name })
              : t('This follows a calendar; change it there.')
            : t('Only {name} or a manager of their team can change this.', {
                name: record.person.name,
              })}
        </p>
      </Modal>
    );
  return (
    <Modal opened onClose={close} closeOnClickOutside={!entered} title={titleOf(record)}>
      <form ref={formElement} className="stack" style={{ gap: 16 }} onSubmit={submit} {...entering}>
        {repeats && (
          <p className="muted">
            {t('{repeats}, in {zone}. A change applies to all future occurrences and the current one.', {
              repeats: repeatSentence(repeats, zone, now),
              zone: zone.city,
            })}
          </p>
        )}
        <div className="stack" style={{ gap: 6 }}>
          <SegmentedControl
            aria-label={t('Kind')}
            fullWidth
            value={type}
            onChange={(value) => set({ type: value as AvailabilityType })}
            data={Object.entries(KINDS)
              .filter(([value]) => !repeats || value !== 'requested')
              .map(([value, { label }]) => ({ value, label }))}
          />
          <span className="muted">{KINDS[type].hint}</span>
        </div>
        {record?.name_hidden ? (
          <p className="muted">
            {t('Its label is private: only {name} sees it.', { name: record.person.name })}
          </p>
        ) : (
          <>
            <TextInput
              label={t('Label')}
              placeholder={tIn('why somebody is away', 'Holiday')}
              maxLength={500}
              value={name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={fieldError(save.error, 'name')}
              data-autofocus
            />
            <Checkbox
              label={privateWords(type)}
              checked={isPrivate}
              onChange={(event) => set({ private: event.currentTarget.checked })}
            />
          </>
        )}
        <div className={form.fields}>
          {whole ? (
            <>
              <TextInput
                type="date"
                label={t('From')}
                value={first.slice(0, 10)}
                onChange={(event) => set({ first: `${event.currentTarget.value}T00:00` })}
                error={fieldError(save.error, 'starts_at')}
                required
              />
              <TextInput
                type="date"
                label={t('To, inclusive')}
                value={dayBefore(last, zone)}
                onChange={(event) => set({ last: dayAfter(event.currentTarget.value, zone) ?? last })}
                error={fieldError(save.error, 'ends_at')}
                required
              />
            </>
          ) : (
            <TimesFields
              zone={zone}
              from={first}
              to={last}
              setFrom={(next) => set({ first: next })}
              setTo={(next) => set({ last: next })}
              error={save.error}
            />
          )}
        </div>
        <Checkbox
          label={t('Whole days')}
          checked={whole}
          onChange={(event) => {
            setWhole(event.currentTarget.checked);
            if (!event.currentTarget.checked) return;
            set({
              first: zone.toInput(zone.startOfDay(startsAt)),
              last: zone.toInput(isWhole(endsAt, zone) ? endsAt : zone.addDays(zone.startOfDay(endsAt), 1)),
            });
          }}
        />
        {mayRepeat && (
          <RepeatFields
            {...{ choice, rule }}
            setChoice={(next) => set({ choice: next })}
            setRule={(next) => set({ rule: next })}
            weekday={zone.weekday(startsAt)}
            error={fieldError(save.error, 'rrule')}
            choices={repeats ? REPEAT_CHOICES.filter((one) => one !== 'once') : REPEAT_CHOICES}
          />
        )}
        {mayRepeat && choice !== 'once' && (
          <TextInput
            type="date"
            label={t('Last day')}
            description={t('Empty: until you remove it')}
            value={lastDay}
            onChange={(event) => set({ lastDay: event.currentTarget.value })}
            error={fieldError(save.error, 'repeats_until')}
          />
        )}
        {hit.length > 0 && (
          <div className="card pad stack tight" role="status">
            <b className="ink-watch">
              {person === null ? t('You are on call then:') : t('They are on call then:')}
            </b>
            {hit.map((shift) => (
              <span key={shift.id} className="muted">
                {t('{schedule}, stage {stage}, {from} – {to}', {
                  schedule: shift.schedule.name,
                  stage: shift.stage,
                  from: zone.moment(Date.parse(shift.starts_at), now),
                  to: zone.moment(Date.parse(shift.ends_at), now),
                })}
              </span>
            ))}
            <span className="muted">{t('Tocsin looks for a cover as soon as you save.')}</span>
          </div>
        )}
        <FormAlert error={problem} />
        <div className="row wrap">
          {record && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate('one')}>
              {repeats
                ? t('Remove {day}', { day: viewerZone.shortDay(Date.parse(record.starts_at)) })
                : t('Remove')}
            </Button>
          )}
          {repeats && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate('all')}>
              {t('Remove all')}
            </Button>
          )}
          <div className="row" style={{ marginLeft: 'auto' }}>
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={startsAt >= endsAt || (mayRepeat && choice !== 'once' && rrule === null)}
            >
              {t('Save')}
            </Button>
          </div>
        </div>
      </form>
    </Modal>
  );
}

/** The record as others have changed it since the dialog was opened. */
function useLatest(opened: RecordShown | null): RecordShown | null {
  const span = { from: Date.parse(opened?.starts_at ?? ''), to: Date.parse(opened?.ends_at ?? '') };
  const { data } = useQuery({
    ...recordsQuery(opened?.person.id ?? null, span),
    enabled: opened !== null,
  });
  return data?.records.find(({ id }) => id === opened?.id) ?? opened;
}

function titleOf(record: RecordShown | null): string {
  if (!record) return t('When you are on call, or not');
  return record.repeats ? t('Change every occurrence') : t('Change');
}

function isWhole(at: number, zone: Zone): boolean {
  return zone.startOfDay(at) === at;
}

/** `2026-12-27T00:00` → `2026-12-26`: the last day before an exclusive end. */
function dayBefore(end: string, zone: Zone): string {
  const at = zone.fromInput(end);
  return at === null ? '' : zone.date(at - 1);
}

function dayAfter(day: string, zone: Zone): string | null {
  const at = zone.ofDate(day);
  return at === null ? null : zone.toInput(zone.addDays(at, 1));
}
