import { Select } from '@mantine/core';
import type { SourceTypeShown } from '../../../src/sources/api-contract.ts';
import type { SourceUrgency } from '../../../src/sources/contract.ts';
import { t } from '../language/t.ts';
import { WordRows } from '../webhooks/word-rows.tsx';
import type { SourceValues } from './form-values.ts';

const OPTIONS: { value: SourceUrgency; label: string }[] = [
  { value: 'high', label: t('High') },
  { value: 'medium', label: t('Medium') },
  { value: 'low', label: t('Low') },
  { value: 'none', label: t('Page nobody') },
];

const labelOf = (urgency: SourceUrgency) => OPTIONS.find(({ value }) => value === urgency)?.label ?? urgency;

type Urgencies = Pick<SourceValues, 'usual' | 'words'>;

/** The urgency for each severity of the sender: the usual words of the type, and others. */
export function UrgencyFields({
  usual,
  words,
  defaults,
  change,
  error,
}: Urgencies & {
  defaults: SourceTypeShown['urgencies'];
  change: (next: Partial<Urgencies>) => void;
  error: string | null;
}) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
      <legend style={{ padding: 0 }}>
        <b>{t('Urgency by severity')}</b>
        <div className="muted">{t('What the tool calls it, and how urgently it pages.')}</div>
      </legend>
      {usual.map(({ word, urgency }, index) => (
        <div className="row" key={word}>
          <span className="grow wordwrap">{word}</span>
          <Select
            aria-label={t('Urgency of {word}', { word })}
            w={220}
            data={[
              {
                value: '',
                label: t('{urgency} (default)', { urgency: labelOf(defaults[index]?.urgency ?? 'medium') }),
              },
              ...OPTIONS.filter(({ value }) => value !== defaults[index]?.urgency),
            ]}
            value={urgency === defaults[index]?.urgency ? '' : (urgency ?? '')}
            onChange={(next) => {
              const chosen = OPTIONS.find(({ value }) => value === next)?.value ?? null;
              change({ usual: usual.with(index, { word, urgency: chosen }) });
            }}
            allowDeselect={false}
          />
        </div>
      ))}
      <WordRows
        rows={words}
        change={(next) => change({ words: next })}
        options={OPTIONS}
        usual="high"
        what={t('Urgency')}
        error={error}
      />
    </fieldset>
  );
}
