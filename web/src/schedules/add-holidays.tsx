import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type HolidayCountry, holidaysApi } from '../../../src/calendars/api-contract.ts';
import { send } from '../api/call.ts';
import { CalendarFile } from '../kit/calendar-file.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { nothingFound } from '../kit/nothing-found.ts';
import { showToast } from '../kit/toast.ts';
import { commas, t } from '../language/t.ts';
import { countriesQuery } from './countries-query.ts';

/** The form: one of country, address and file. */
type Form = { name: string; country: string | null; region: string | null; url: string; ics: string | null };
const FIELDS = ['name', 'country', 'region', 'url', 'ics'];
const EMPTY: Form = { name: '', country: null, region: null, url: '', ics: null };

/** Adds a holiday calendar to a schedule; null: to the organization. */
export function AddHolidays({ scheduleId, close }: { scheduleId: string | null; close: () => void }) {
  const client = useQueryClient();
  const [form, setForm] = useState(EMPTY);
  const set = (changed: Partial<Form>) => setForm((before) => ({ ...before, ...changed }));
  const { name, country, url, ics } = form;
  const save = useMutation({
    mutationFn: () =>
      send(holidaysApi.create, {
        body: { name, ...(scheduleId === null ? {} : { schedule: scheduleId }), ...sourceOf(form) },
      }),
    async onSuccess() {
      close();
      showToast(t('The holidays are added.'));
      await client.invalidateQueries({ queryKey: ['holiday-calendars'] });
    },
  });
  return (
    <FormDialog
      title={t('Add holidays')}
      close={close}
      send={() => save.mutate()}
      go={t('Add them')}
      ready={name.trim() !== '' && (country !== null || url.trim() !== '' || ics !== null)}
      busy={save.isPending}
      error={otherError(save.error, FIELDS)}
    >
      <CountryFields form={form} set={set} refusal={save.error} />
      <TextInput
        label={t('or the address of a calendar (iCal)')}
        placeholder="https://example.com/holidays.ics"
        value={url}
        disabled={country !== null || ics !== null}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={fieldError(save.error, 'url')}
      />
      {country === null && (
        <CalendarFile take={(text) => set({ ics: text })} error={fieldError(save.error, 'ics')} />
      )}
      <TextInput
        label={t('Name')}
        placeholder={t('Berlin')}
        value={name}
        maxLength={200}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(save.error, 'name')}
        required
      />
    </FormDialog>
  );
}

function sourceOf({ country, region, url, ics }: Form) {
  if (country !== null) return { country, ...(region === null ? {} : { region }) };
  return ics === null ? { url } : { ics };
}

/** Country and region. They are also the name, until somebody writes another one. */
function CountryFields({
  form,
  set,
  refusal,
}: {
  form: Form;
  set: (changed: Partial<Form>) => void;
  refusal: Error | null;
}) {
  const { data, error } = useQuery(countriesQuery);
  const countries = data?.countries ?? [];
  const chosen = countries.find(({ code }) => code === form.country);
  const choose = (country: string | null, region: string | null) => {
    const isOwnName = form.name !== placeName(countries, form.country, form.region);
    const name = isOwnName ? {} : { name: placeName(countries, country, region) };
    set({ country, region, ...name });
  };
  return (
    <>
      <Select
        label={t('Country')}
        placeholder={data || error ? t('Public holidays of a country') : t('Loading …')}
        data={countries.map(({ code, name }) => ({ value: code, label: name }))}
        value={form.country}
        onChange={(country) => choose(country, null)}
        error={error?.message ?? fieldError(refusal, 'country')}
        disabled={form.url.trim() !== '' || form.ics !== null}
        nothingFoundMessage={nothingFound(data, t('No country with that name'))}
        // The list would cover the fields below.
        openOnFocus={false}
        searchable
        clearable
        data-autofocus
      />
      {chosen && chosen.regions.length > 0 && (
        <Select
          label={t('Region')}
          placeholder={t('Only nationwide holidays')}
          data={chosen.regions.map(({ code, name }) => ({ value: code, label: name }))}
          value={form.region}
          onChange={(region) => choose(form.country, region)}
          error={fieldError(refusal, 'region')}
          nothingFoundMessage={t('No region with that name')}
          searchable
          clearable
        />
      )}
    </>
  );
}

/** `Germany`, or `Germany, Bayern`; empty without a country. */
function placeName(
  countries: readonly HolidayCountry[],
  country: string | null,
  region: string | null,
): string {
  const found = countries.find(({ code }) => code === country);
  const part = found?.regions.find(({ code }) => code === region);
  return commas([found?.name, part?.name].filter((one) => one !== undefined));
}
