import { Button, Tabs, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Period, payApi } from '../../../src/pay/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { PayPeople } from './people.tsx';
import { periodsQuery } from './queries.ts';
import { RateTables } from './rate-tables.tsx';
import { nextPeriod, periodName, STATE_NAMES, STATE_TONES } from './words.ts';

/** Pay for being on call: periods for everybody; rates and who is paid by them for those who manage pay. */
export function PayView() {
  const { tab = 'periods' } = useSearch({ from: '/pay' });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(periodsQuery);
  const open = (next: string | null) =>
    void navigate({ to: '/pay', search: next === 'rates' || next === 'people' ? { tab: next } : {} });
  return (
    <div className="view">
      <ListHead
        name={t('Pay')}
        about={
          data?.may_manage ? t('on-call pay by region and hour') : t('what you were paid for being on call')
        }
      />
      {!data ? (
        <Unread error={error} again={refetch} rows={3} />
      ) : data.may_manage ? (
        <Tabs value={tab} onChange={open} keepMounted={false}>
          <Tabs.List mb="lg">
            <Tabs.Tab value="periods">{t('Periods')}</Tabs.Tab>
            <Tabs.Tab value="rates">{t('Rates')}</Tabs.Tab>
            <Tabs.Tab value="people">{t('People')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="periods">
            <Periods periods={data.periods} mayManage />
          </Tabs.Panel>
          <Tabs.Panel value="rates">
            <RateTables />
          </Tabs.Panel>
          <Tabs.Panel value="people">
            <PayPeople />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Periods periods={data.periods} mayManage={false} />
      )}
    </div>
  );
}

function Periods({ periods, mayManage }: { periods: readonly Period[]; mayManage: boolean }) {
  const [creating, setCreating] = useState(false);
  const add = mayManage && <Button onClick={() => setCreating(true)}>{t('New period')}</Button>;
  return (
    <section className="stack" aria-label={t('Periods')}>
      {periods.length === 0 ? (
        <Empty action={add}>
          {mayManage
            ? t('You have no pay period yet. Set rates first, then create the first period.')
            : t('You have no published statements yet.')}
        </Empty>
      ) : (
        <>
          {add && <div className="row">{add}</div>}
          <div className="card lines">
            {periods.map((period) => (
              <div key={period.id} className="line opens">
                <Link to="/pay/$id" params={{ id: period.id }} data-row className="grow">
                  {periodName(period)}
                </Link>
                {!period.over && <span className="muted">{t('not over yet')}</span>}
                <Pill tone={STATE_TONES[period.state]}>{STATE_NAMES[period.state]}</Pill>
              </div>
            ))}
          </div>
        </>
      )}
      {creating && <NewPeriod periods={periods} close={() => setCreating(false)} />}
    </section>
  );
}

function NewPeriod({ periods, close }: { periods: readonly Period[]; close: () => void }) {
  const now = useNow(60_000);
  const [days, setDays] = useState(() => nextPeriod(periods, viewerZone().date(now.getTime())));
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => send(payApi.createPeriod, { body: days }),
    onSuccess: async ({ id }) => {
      close();
      await client.invalidateQueries({ queryKey: ['pay', 'periods'] });
      await navigate({ to: '/pay/$id', params: { id } });
    },
  });
  return (
    <FormDialog
      title={t('New pay period')}
      close={close}
      send={() => create.mutate()}
      go={t('Create')}
      ready={days.first !== '' && days.last !== ''}
      busy={create.isPending}
      error={otherError(create.error, ['first', 'last'])}
    >
      <TextInput
        type="date"
        label={t('First day')}
        value={days.first}
        onChange={(event) => setDays({ ...days, first: event.currentTarget.value })}
        error={fieldError(create.error, 'first')}
        required
        data-autofocus
      />
      <TextInput
        type="date"
        label={t('Last day')}
        value={days.last}
        onChange={(event) => setDays({ ...days, last: event.currentTarget.value })}
        error={fieldError(create.error, 'last')}
        required
      />
    </FormDialog>
  );
}
