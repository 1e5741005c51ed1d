import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { OrganizationSettings } from '../../../src/people/organization-api-contract.ts';
import { organizationApi } from '../../../src/people/organization-api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Unread } from '../kit/states.tsx';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { LANGUAGE_OPTIONS, t } from '../language/t.ts';
import { TIME_ZONES } from '../schedules/time-zones.ts';
import { organizationQuery } from './queries.ts';

const FIELDS = ['name', 'time_zone', 'language'] as const;

export function OrganizationForm() {
  const { data, error, refetch } = useQuery(organizationQuery);
  if (!data) return <Unread error={error} again={refetch} rows={2} />;
  return <Form settings={data} />;
}

function Form({ settings }: { settings: OrganizationSettings }) {
  const client = useQueryClient();
  const { name, time_zone, language } = settings;
  const { values, set, changes, saved } = useFields({ name, time_zone, language });
  const save = useMutation({
    mutationFn: (_: typeof values) => send(organizationApi.change, { body: changes }),
    onSuccess: async (now, sent) => {
      client.setQueryData(organizationQuery.queryKey, now);
      saved(sent);
      showToast(t('Saved.'));
      await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const changed = Object.keys(changes).length > 0;
  return (
    <form
      className="card pad stack"
      style={{ gap: 16, maxWidth: 560 }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate(values);
      }}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={200}
        disabled={!settings.may_change}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(save.error, 'name')}
      />
      <Select
        label={t('Time zone')}
        description={t('For people and schedules without holidays of their own')}
        searchable
        allowDeselect={false}
        disabled={!settings.may_change}
        data={TIME_ZONES}
        limit={50}
        value={values.time_zone}
        onChange={(value) => value && set({ time_zone: value })}
        error={fieldError(save.error, 'time_zone')}
      />
      {LANGUAGE_OPTIONS.length > 1 && (
        <Select
          label={t('Language')}
          description={t('For messages and calls to people who chose none')}
          allowDeselect={false}
          disabled={!settings.may_change}
          data={LANGUAGE_OPTIONS}
          value={values.language}
          onChange={(value) => value && set({ language: value })}
          error={fieldError(save.error, 'language')}
        />
      )}
      {otherError(save.error, FIELDS) && (
        <p className="ink-alarm" role="alert">
          {otherError(save.error, FIELDS)}
        </p>
      )}
      {settings.may_change ? (
        <div className="row">
          <Button type="submit" disabled={!changed || !values.name.trim()} loading={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      ) : (
        <p className="muted">{t('Only owners and admins can change this.')}</p>
      )}
    </form>
  );
}
