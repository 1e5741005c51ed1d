import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OrganizationSettings } from '../../../src/people/organization-api-contract.ts';
import { organizationApi } from '../../../src/people/organization-api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Unread } from '../kit/states.tsx';
import { showToast } from '../kit/toast.ts';
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
  const [name, setName] = useState(settings.name);
  const [zone, setZone] = useState(settings.time_zone);
  const [language, setLanguage] = useState(settings.language);
  const save = useMutation({
    mutationFn: () => send(organizationApi.change, { body: { name, time_zone: zone, language } }),
    onSuccess: async (saved) => {
      client.setQueryData(organizationQuery.queryKey, saved);
      showToast(t('Saved.'));
      await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const changed = name !== settings.name || zone !== settings.time_zone || language !== settings.language;
  return (
    <form
      className="card pad stack"
      style={{ gap: 16, maxWidth: 560 }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={200}
        disabled={!settings.may_change}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
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
        value={zone}
        onChange={(value) => value && setZone(value)}
        error={fieldError(save.error, 'time_zone')}
      />
      {LANGUAGE_OPTIONS.length > 1 && (
        <Select
          label={t('Language')}
          description={t('For messages and calls to people who chose none')}
          allowDeselect={false}
          disabled={!settings.may_change}
          data={LANGUAGE_OPTIONS}
          value={language}
          onChange={(value) => value && setLanguage(value)}
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
          <Button type="submit" disabled={!changed || !name.trim()} loading={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      ) : (
        <p className="muted">{t('Only owners and admins can change this.')}</p>
      )}
    </form>
  );
}
