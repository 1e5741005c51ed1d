import { Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventChoice, SourceType } from '../../../src/availability/sources-api-contract.ts';
import { sourcesApi, USUAL_WORDS } from '../../../src/availability/sources-api-contract.ts';
import { send } from '../api/call.ts';
import { CalendarFile } from '../kit/calendar-file.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { commas, t } from '../language/t.ts';
import { KINDS, privateWords } from './kinds.ts';
import { useRecordsChanged } from './removing.ts';

const CHOICES: { value: EventChoice; label: string }[] = [
  { value: 'words', label: t('Out of office') },
  { value: 'busy', label: t('Shown as busy') },
  { value: 'all', label: t('All') },
];

/** Subscribes to a calendar by its URL, or imports the absences of a file. */
export function SourceDialog({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [ics, setIcs] = useState<string | null>(null);
  const [type, setType] = useState<SourceType>('hard_unavailable');
  const [events, setEvents] = useState<EventChoice>('words');
  const [isPrivate, setPrivate] = useState(false);
  const changed = useRecordsChanged();
  const save = useMutation({
    mutationFn: () =>
      send(sourcesApi.create, {
        body: {
          ...(name.trim() ? { name } : {}),
          ...(ics === null ? { url } : { ics }),
          type,
          events,
          private: isPrivate,
        },
      }),
    async onSuccess() {
      close();
      showToast(t('The calendar is followed.'));
      await changed();
    },
  });
  return (
    <FormDialog
      title={t('Follow a calendar')}
      close={close}
      send={() => save.mutate()}
      go={t('Follow it')}
      ready={url.trim() !== '' || ics !== null}
      busy={save.isPending}
      error={otherError(save.error, ['url', 'ics', 'name'])}
    >
      <TextInput
        label={t('Address of the calendar (iCal)')}
        description={t('The secret address that your calendar shows; it is stored encrypted')}
        placeholder="https://example.com/absences.ics"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        disabled={ics !== null}
        error={fieldError(save.error, 'url')}
        data-autofocus
      />
      <CalendarFile take={setIcs} error={fieldError(save.error, 'ics')} />
      <TextInput
        label={t('A name of your choice')}
        placeholder={t('Work')}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(save.error, 'name')}
      />
      <div className="stack tight">
        <span>{t('Which events count')}</span>
        <SegmentedControl
          aria-label={t('Which events count')}
          value={events}
          onChange={(value) => setEvents(value as EventChoice)}
          data={CHOICES}
        />
        {events === 'words' && (
          <span className="muted">
            {t('Those with a word such as {words}.', { words: commas(USUAL_WORDS.slice(0, 5)) })}
          </span>
        )}
      </div>
      <div className="stack tight">
        <span>{t('Meaning')}</span>
        <SegmentedControl
          aria-label={t('Meaning')}
          value={type}
          onChange={(value) => setType(value as SourceType)}
          data={[
            { value: 'hard_unavailable', label: KINDS.hard_unavailable.label },
            { value: 'soft_unavailable', label: KINDS.soft_unavailable.label },
          ]}
        />
      </div>
      <Checkbox
        label={privateWords(type)}
        checked={isPrivate}
        onChange={(event) => setPrivate(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
