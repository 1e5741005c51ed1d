import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PayTableShown, payApi } from '../../../src/pay/api-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showFailure } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { t } from '../language/t.ts';
import { countriesQuery } from '../schedules/countries-query.ts';
import { TIME_ZONES } from '../schedules/time-zones.ts';

const FIELDS = ['name', 'currency', 'time_zone', 'country', 'region'];
const CURRENCIES = Intl.supportedValuesOf('currency');

/** Creates or changes a rate table. Its currency stays, because amounts were stored in it. */
export function TableDialog({
  table,
  first = false,
  close,
}: {
  table: PayTableShown | null;
  /** It would be the only table, which is the default unless the person says otherwise. */
  first?: boolean;
  close: () => void;
}) {
  const session = useQuery(sessionQuery).data;
  const {
    values: form,
    set,
    changes,
  } = useFields({
    name: table?.name ?? '',
    currency: table?.currency ?? null,
    time_zone: table?.time_zone ?? session?.organization.time_zone ?? 'UTC',
    country: table?.country ?? null,
    region: table?.region ?? null,
    default: table?.default ?? first,
  });
  const client = useQueryClient();
  const done = async () => {
    close();
    await client.invalidateQueries({ queryKey: ['pay'] });
  };
  const { currency, default: isDefault, ...fields } = form;
  const save = useMutation({
    mutationFn: () => {
      // The currency cannot be changed.
      const { currency: _, ...changed } = changes;
      return table
        ? send(payApi.changeTable, { params: { id: table.id }, body: changed })
        : send(payApi.createTable, {
            body: { ...fields, currency: currency ?? '', default: isDefault },
          });
    },
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: (id: string) => send(payApi.removeTable, { params: { id } }),
    onSuccess: done,
    onError: (error: Error) => showFailure(error),
  });
  return (
    <FormDialog
      title={table ? t('Change the rate table') : t('New rate table')}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      ready={form.name.trim() !== '' && currency !== null}
      busy={save.isPending}
      error={otherError(save.error, FIELDS)}
    >
      <TextInput
        label={t('Name')}
        placeholder={t('Germany')}
        maxLength={80}
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(save.error, 'name')}
        required
        data-autofocus
      />
      <Select
        label={t('Currency')}
        data={CURRENCIES}
        value={currency}
        onChange={(next) => set({ currency: next })}
        error={fieldError(save.error, 'currency')}
        disabled={table !== null}
        searchable
        required
      />
      <Select
        label={t('Time zone')}
        description={t('Decides what is a night, a weekend and a holiday')}
        data={TIME_ZONES}
        value={form.time_zone}
        onChange={(next) => next !== null && set({ time_zone: next })}
        error={fieldError(save.error, 'time_zone')}
        searchable
        allowDeselect={false}
      />
      <Place form={form} set={set} error={save.error} />
      <Checkbox
        label={t('For everybody without another rate table')}
        checked={form.default}
        onChange={(event) => set({ default: event.currentTarget.checked })}
      />
      {table && (
        <Button
          variant="subtle"
          color="red"
          style={{ justifySelf: 'start' }}
          loading={remove.isPending}
          onClick={() => remove.mutate(table.id)}
        >
          {t('Delete the rate table')}
        </Button>
      )}
    </FormDialog>
  );
}

type Form = { country: string | null; region: string | null };

function Place({
  form,
  set,
  error,
}: {
  form: Form;
  set: (changed: Partial<Form>) => void;
  error: Error | null;
}) {
  const countries = useQuery(countriesQuery).data?.countries ?? [];
  const chosen = countries.find(({ code }) => code === form.country);
  return (
    <>
      <Select
        label={t('Public holidays')}
        placeholder={t('The organization’s holidays')}
        data={countries.map(({ code, name }) => ({ value: code, label: name }))}
        value={form.country}
        onChange={(country) => set({ country, region: null })}
        error={fieldError(error, 'country')}
        nothingFoundMessage={t('No country with that name')}
        searchable
        clearable
      />
      {chosen && chosen.regions.length > 0 && (
        <Select
          label={t('Region')}
          placeholder={t('Only nationwide holidays')}
          data={chosen.regions.map(({ code, name }) => ({ value: code, label: name }))}
          value={form.region}
          onChange={(region) => set({ region })}
          error={fieldError(error, 'region')}
          nothingFoundMessage={t('No region with that name')}
          searchable
          clearable
        />
      )}
    </>
  );
}
