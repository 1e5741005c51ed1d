import { Select, TagsInput, TextInput } from '@mantine/core';
import { MOMENT_TYPES, type MomentType } from '../../../src/moments/kinds-contract.ts';
import { fieldError } from '../kit/field-error.ts';
import { t } from '../language/t.ts';
import { TYPE_NAMES } from '../moments/words.ts';
import type { WebhookValues } from './form-values.ts';
import { PriorityWords } from './priority-words.tsx';

type Setting = {
  values: WebhookValues;
  set: (next: Partial<WebhookValues>) => void;
  error: Error | null;
};

/** How calls become moments. `filters`: only matching issues do. `topics`: the webhook receives an SNS topic. */
export function SettingsFields({
  values,
  set,
  error,
  filters,
  topics,
}: Setting & { filters: boolean; topics: boolean }) {
  return (
    <>
      <Select
        label={t('All its moments are')}
        placeholder={t('What the tool says')}
        clearable
        data={MOMENT_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))}
        value={values.type || null}
        onChange={(type) => set({ type: (type ?? '') as MomentType | '' })}
        error={fieldError(error, 'settings.type')}
      />
      <PriorityWords
        priorities={values.priorities}
        change={(priorities) => set({ priorities })}
        error={fieldError(error, 'settings.priorities')}
      />
      {filters && <FilterFields values={values} set={set} error={error} />}
      <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
        <legend style={{ padding: 0 }}>
          <b>{t('Near misses')}</b>
          <div className="muted">
            {t('Alerts with one of these are near misses, regardless of their severity.')}
          </div>
        </legend>
        <Words
          label={t('Labels that make it a near miss')}
          words={values.nearMiss.labels}
          change={(labels) => set({ nearMiss: { ...values.nearMiss, labels } })}
          error={fieldError(error, 'settings.near_miss.labels')}
        />
        <Words
          label={t('Words in the name or description')}
          words={values.nearMiss.keywords}
          change={(keywords) => set({ nearMiss: { ...values.nearMiss, keywords } })}
          error={fieldError(error, 'settings.near_miss.keywords')}
        />
      </fieldset>
      {topics && (
        <TextInput
          label={t('SNS topic')}
          description={t(
            'The only topic that is accepted. It is filled in when its subscription is confirmed.',
          )}
          value={values.topic}
          onChange={(event) => set({ topic: event.currentTarget.value })}
          error={fieldError(error, 'settings.topic')}
        />
      )}
    </>
  );
}

function FilterFields({ values: { filter }, set, error }: Setting) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
      <legend style={{ padding: 0 }}>
        <b>{t('Which issues become moments')}</b>
        <div className="muted">
          {t(
            'Issues that match every list that is not empty. If all are empty, labels and types such as incident, outage, sev1 or p2 let an issue through.',
          )}
        </div>
      </legend>
      <Words
        label={t('Labels')}
        words={filter.labels}
        change={(labels) => set({ filter: { ...filter, labels } })}
        error={fieldError(error, 'settings.filter.labels')}
      />
      <Words
        label={t('Types')}
        words={filter.types}
        change={(types) => set({ filter: { ...filter, types } })}
        error={fieldError(error, 'settings.filter.types')}
      />
      <Words
        label={t('Priorities')}
        words={filter.priorities}
        change={(priorities) => set({ filter: { ...filter, priorities } })}
        error={fieldError(error, 'settings.filter.priorities')}
      />
    </fieldset>
  );
}

function Words({
  label,
  words,
  change,
  error,
}: {
  label: string;
  words: string[];
  change: (words: string[]) => void;
  error: string | null;
}) {
  return (
    <TagsInput
      label={label}
      placeholder={words.length === 0 ? t('Type a word, then Enter') : ''}
      acceptValueOnBlur
      maxTags={100}
      value={words}
      onChange={change}
      error={error}
    />
  );
}
