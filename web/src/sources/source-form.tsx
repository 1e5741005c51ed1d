import { Checkbox, NumberInput, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type SourceDetail, type SourceTypeShown, sourcesApi } from '../../../src/sources/api-contract.ts';
import { HEARTBEAT, MOST_WAIT_MINUTES } from '../../../src/sources/contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { t } from '../language/t.ts';
import form from '../schedules/form.module.css';
import { EndField, FormEnd, NameField, SecretField } from '../webhooks/common-fields.tsx';
import { type SourceValues, sourceChanges, sourceValues } from './form-values.ts';
import { HoursField } from './hours-field.tsx';
import { IntervalField } from './new-source.tsx';
import { sourceTypesQuery } from './queries.ts';
import { UrgencyFields } from './urgency-fields.tsx';

const FIELDS = [
  ...['name', 'signing_secret', 'expires_at', 'interval_minutes', 'settings.urgencies'],
  ...['settings.wait_minutes', 'settings.hours'],
];

/** The settings of a page source, except its rules. */
export function SourceForm({ source }: { source: SourceDetail }) {
  const type = useQuery(sourceTypesQuery).data?.types.find(({ name }) => name === source.type);
  return type ? <KnownForm source={source} type={type} /> : null;
}

function KnownForm({ source, type }: { source: SourceDetail; type: SourceTypeShown }) {
  const { id, secrets_hidden, signed } = source;
  const stored = sourceValues(source, type.urgencies);
  const { values, set, saved, undo } = useFields(stored);
  const client = useQueryClient();
  const changes = sourceChanges(stored, values);
  const changed = Object.keys(changes).length > 0;
  const save = useMutation({
    mutationFn: (_: SourceValues) => send(sourcesApi.change, { params: { id }, body: changes }),
    onSuccess: (now, sent) => {
      client.setQueryData(['sources', 'one', id], now);
      saved(sent);
      void client.invalidateQueries({ queryKey: ['sources', 'list'] });
      showToast(t('Saved. It applies from the next call.'));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(values);
  };
  return (
    <section className="stack" aria-label={t('Settings')}>
      <h2>{t('Settings')}</h2>
      <form className="card pad stack" style={{ gap: 16 }} onSubmit={submit}>
        <NameField value={values.name} change={(name) => set({ name })} error={save.error} />
        {type.signs && (
          <SecretField
            value={values.secret}
            change={(secret) => set({ secret })}
            error={save.error}
            hidden={secrets_hidden && signed}
          />
        )}
        {type.name === HEARTBEAT && (
          <IntervalField
            value={values.interval}
            change={(interval) => set({ interval })}
            error={save.error}
          />
        )}
        <UrgencyFields
          usual={values.usual}
          words={values.words}
          defaults={type.urgencies}
          change={set}
          error={fieldError(save.error, 'settings.urgencies')}
        />
        <PagingFields values={values} set={set} error={save.error} acknowledges={type.name !== HEARTBEAT} />
        <HoursField hours={values.hours} change={(hours) => set({ hours })} error={save.error} />
        <EndField value={values.end} change={(end) => set({ end })} error={save.error} />
        <Checkbox
          label={t('Also record a moment')}
          description={t('Each event is also listed under Moments and linked to its page.')}
          checked={values.recordMoments}
          onChange={(event) => set({ recordMoments: event.currentTarget.checked })}
        />
        <FormEnd
          error={otherError(save.error, FIELDS)}
          ready={changed && values.name.trim() !== ''}
          busy={save.isPending}
          undo={changed ? undo : null}
        />
      </form>
    </section>
  );
}

/** When it pages, and what the sender may end. `acknowledges`: its senders can acknowledge. */
function PagingFields({
  values: { wait, onResolve, onAcknowledge },
  set,
  error,
  acknowledges,
}: {
  values: SourceValues;
  set: (next: Partial<SourceValues>) => void;
  error: Error | null;
  acknowledges: boolean;
}) {
  return (
    <div className={form.fields}>
      <NumberInput
        label={t('Wait before paging')}
        description={t('Only alerts that are still open after this time page.')}
        suffix={` ${t('min')}`}
        min={0}
        max={MOST_WAIT_MINUTES}
        allowDecimal={false}
        value={wait}
        onChange={(minutes) => set({ wait: minutes })}
        error={fieldError(error, 'settings.wait_minutes')}
      />
      <Select
        label={t('When the tool resolves it')}
        description={t('What happens to its page.')}
        data={[
          { value: 'resolve', label: t('Resolve the page') },
          { value: 'keep', label: t('Somebody has to resolve it') },
        ]}
        value={onResolve}
        onChange={(chosen) => set({ onResolve: chosen === 'keep' ? 'keep' : 'resolve' })}
        allowDeselect={false}
      />
      {acknowledges && (
        <Select
          label={t('When it is acknowledged in the tool')}
          description={t('What happens to its page.')}
          data={[
            { value: 'acknowledge', label: t('Acknowledge the page') },
            { value: 'ignore', label: t('Keep notifying') },
          ]}
          value={onAcknowledge}
          onChange={(chosen) => set({ onAcknowledge: chosen === 'ignore' ? 'ignore' : 'acknowledge' })}
          allowDeselect={false}
        />
      )}
    </div>
  );
}
