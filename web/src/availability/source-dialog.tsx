import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type {
  EventChoice,
  NewSourceBody,
  SourceType,
} from '../../../src/availability/sources-api-contract.ts';
import { USUAL_WORDS } from '../../../src/availability/sources-api-contract.ts';
import { call } from '../api/call.ts';
import { tell } from '../kit/tell.ts';
import { KINDS } from './kinds.ts';
import { useRecordsChanged } from './removing.ts';

const CHOICES: { value: EventChoice; label: string }[] = [
  { value: 'words', label: 'Out of office' },
  { value: 'busy', label: 'Shown as busy' },
  { value: 'all', label: 'All' },
];

/** Follows a calendar by its address, or takes the absences of a file. */
export function SourceDialog({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [ics, setIcs] = useState<string | null>(null);
  const [type, setType] = useState<SourceType>('hard_unavailable');
  const [events, setEvents] = useState<EventChoice>('words');
  const changed = useRecordsChanged();
  const save = useMutation({
    mutationFn: () => {
      const body: NewSourceBody = {
        ...(name.trim() ? { name } : {}),
        ...(ics === null ? { url } : { ics }),
        ...{ type, events },
      };
      return call('POST', '/api/availability-sources', body);
    },
    async onSuccess() {
      close();
      tell('The calendar is followed.');
      await changed();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={close} title="Follow a calendar">
      <form className="stack" style={{ gap: 16 }} onSubmit={send}>
        <TextInput
          label="Address of the calendar (iCal)"
          description="Its secret address, as your calendar shows it; it is kept sealed"
          placeholder="https://calendar.example.com/private/basic.ics"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          disabled={ics !== null}
          data-autofocus
        />
        <label className="stack tight">
          <span>or a file</span>
          <input
            type="file"
            accept=".ics,text/calendar"
            onChange={async (event) => setIcs((await event.currentTarget.files?.[0]?.text()) ?? null)}
          />
        </label>
        <TextInput
          label="What you call it"
          placeholder="Work"
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="stack tight">
          <span>Which events count</span>
          <SegmentedControl
            aria-label="Which events count"
            value={events}
            onChange={(value) => setEvents(value as EventChoice)}
            data={CHOICES}
          />
          {events === 'words' && (
            <span className="muted">Those with a word such as {USUAL_WORDS.slice(0, 5).join(', ')}.</span>
          )}
        </div>
        <div className="stack tight">
          <span>What they mean</span>
          <SegmentedControl
            aria-label="What they mean"
            value={type}
            onChange={(value) => setType(value as SourceType)}
            data={[
              { value: 'hard_unavailable', label: KINDS.hard_unavailable.label },
              { value: 'soft_unavailable', label: KINDS.soft_unavailable.label },
            ]}
          />
        </div>
        {save.error && (
          <p role="alert" className="ink-alarm">
            {save.error.message}
          </p>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!url.trim() && ics === null} loading={save.isPending}>
            Follow it
          </Button>
        </div>
      </form>
    </Modal>
  );
}
