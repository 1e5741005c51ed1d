import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';
import { SPAN_NAMES, type TimeFilter } from './time-filter.ts';
import { viewerZone } from './zones.ts';

/**
 * Fields for a period that ends now, or for two times. `bare`: in a row of fields whose placeholders say what they are.
 */
export function TimeFilterFields({
  filter: { within, from, to },
  change,
  bare = false,
}: {
  filter: TimeFilter;
  change: (next: TimeFilter) => void;
  bare?: boolean;
}) {
  const [chosen, setChosen] = useState(false);
  // The address may also change otherwise, as when a saved view is opened.
  const between = from !== undefined || to !== undefined || (chosen && within === undefined);
  const pick = (value: string | null) => {
    setChosen(value === 'between');
    change(value === null || value === 'between' ? {} : { within: value as keyof typeof SPAN_NAMES });
  };
  const set = (name: 'from' | 'to', local: string) => {
    const times = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
    const { [name]: _, ...rest } = times;
    const at = local ? viewerZone().fromInput(local) : null;
    change(at === null ? rest : { ...rest, [name]: new Date(at).toISOString() });
  };
  const named = (name: string) => (bare ? { 'aria-label': name } : { label: name });
  return (
    <>
      <Select
        {...named(t('Time'))}
        style={bare ? { flex: '0 1 190px', minWidth: 175 } : {}}
        placeholder={bare ? t('Any time') : t('Any')}
        clearable
        data={[
          ...Object.entries(SPAN_NAMES).map(([value, label]) => ({ value, label })),
          { value: 'between', label: t('Between two times') },
        ]}
        value={between ? 'between' : (within ?? null)}
        onChange={pick}
      />
      {between && (
        <>
          <TextInput
            {...named(t('From'))}
            type="datetime-local"
            value={localText(from)}
            onChange={(event) => set('from', event.currentTarget.value)}
          />
          <TextInput
            {...named(t('Until'))}
            type="datetime-local"
            value={localText(to)}
            onChange={(event) => set('to', event.currentTarget.value)}
          />
        </>
      )}
    </>
  );
}

/** The value of a `datetime-local` input. */
function localText(at: string | undefined): string {
  return at ? viewerZone().toInput(Date.parse(at)) : '';
}
