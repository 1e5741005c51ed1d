import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PayPerson, payApi } from '../../../src/pay/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Unread } from '../kit/states.tsx';
import { showFailure } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { payPeopleQuery, tablesQuery } from './queries.ts';
import { dayName } from './words.ts';

const NOT_PAID = 'none';
/** The day of an assignment that applies from the beginning. */
const BEGINNING = '1970-01-01';

/** By which rate table each person is paid. */
export function PayPeople() {
  const { data, error, refetch } = useQuery(payPeopleQuery);
  const [changing, setChanging] = useState<string | null>(null);
  // As for the service, which says by which table each person is paid.
  const today = useNow(60_000).toISOString().slice(0, 10);
  if (!data) return <Unread error={error} again={refetch} rows={4} />;
  return (
    <section className="stack" aria-label={t('People')}>
      <p className="muted">
        {t(
          'Everybody is paid by the default rate table unless you choose another one here. A change can start on a given day.',
        )}
      </p>
      <div className="card lines">
        {data.people.map((row) => (
          <div key={row.person.id} className="line">
            <Avatar person={row.person} size={24} />
            <span className="grow stack tight">
              <span>{row.person.name}</span>
              <span className="muted">{tableWords(row, today)}</span>
            </span>
            <Button
              variant="default"
              onClick={() => setChanging(row.person.id)}
              aria-label={t('Change how {name} is paid', { name: row.person.name })}
            >
              {t('Change')}
            </Button>
          </div>
        ))}
      </div>
      {data.people
        .filter(({ person }) => person.id === changing)
        .map((row) => (
          <AssignDialog key={row.person.id} row={row} close={() => setChanging(null)} />
        ))}
    </section>
  );
}

function tableWords({ table, assignments }: PayPerson, today: string): string {
  // Before the first one, the default applies.
  const isAssigned = assignments.some(({ from }) => from <= today);
  if (table) return isAssigned ? table.name : t('{table} (default)', { table: table.name });
  return isAssigned ? t('not paid') : t('no rate table');
}

function AssignDialog({ row, close }: { row: PayPerson; close: () => void }) {
  const { person, assignments } = row;
  const tables = useQuery(tablesQuery).data?.tables ?? [];
  const { values, set } = useFields({ table: row.table?.id ?? NOT_PAID, from: '' });
  const { table, from } = values;
  const client = useQueryClient();
  const done = async () => {
    close();
    await client.invalidateQueries({ queryKey: ['pay'] });
  };
  const save = useMutation({
    mutationFn: () =>
      send(payApi.assign, {
        params: { id: person.id },
        body: { table: table === NOT_PAID ? null : table, ...(from === '' ? {} : { from }) },
      }),
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: (day: string) => send(payApi.unassign, { params: { id: person.id, from: day } }),
    onSuccess: done,
    onError: (error: Error) => showFailure(error),
  });
  return (
    <FormDialog
      title={t('How {name} is paid', { name: person.name })}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      busy={save.isPending}
      error={otherError(save.error, ['table', 'from'])}
    >
      <Select
        label={t('Rate table')}
        data={[
          ...tables.map(({ id, name, currency }) => ({ value: id, label: `${name} (${currency})` })),
          { value: NOT_PAID, label: t('Not paid for being on call') },
        ]}
        value={table}
        onChange={(next) => next !== null && set({ table: next })}
        allowDeselect={false}
        openOnFocus={false}
        error={fieldError(save.error, 'table')}
        data-autofocus
      />
      <TextInput
        type="date"
        label={t('From')}
        description={t('Empty: from the beginning')}
        value={from}
        onChange={(event) => set({ from: event.currentTarget.value })}
        error={fieldError(save.error, 'from')}
      />
      {assignments.length > 0 && (
        <div className="card lines">
          {assignments.map((one) => (
            <div key={one.from} className="line">
              <span className="grow">
                {one.table?.name ?? t('not paid')}
                <span className="muted">
                  {' '}
                  {one.from === BEGINNING
                    ? t('from the beginning')
                    : t('from {day}', { day: dayName(one.from) })}
                </span>
              </span>
              <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(one.from)}>
                {t('Remove')}
              </Button>
            </div>
          ))}
        </div>
      )}
    </FormDialog>
  );
}
