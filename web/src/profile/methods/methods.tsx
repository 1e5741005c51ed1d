import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { methodOf } from '../../../../src/notifications/channels/contract.ts';
import type { MethodList, MethodShown, SentShown } from '../../../../src/people/contact-contract.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Empty, Unread } from '../../kit/states.tsx';
import { t } from '../../language/t.ts';
import { methodsQuery } from '../queries.ts';
import { AddMethod } from './add-method.tsx';
import { MethodLine } from './method-line.tsx';
import classes from './methods.module.css';
import { SecretDialog } from './secret-dialog.tsx';
import { useDragging } from './use-dragging.ts';
import { useMethods } from './use-methods.ts';
import { VerifyDialog } from './verify-dialog.tsx';

type Open =
  | { what: 'adding' }
  | {
      what: 'verifying';
      method: Pick<MethodShown, 'id' | 'type' | 'value'>;
      first: SentShown | null;
      secret: string | null;
    }
  | { what: 'removing'; method: MethodShown }
  | { what: 'secret'; value: string };

/** The viewer's contact methods: add, verify, order, test, remove. */
export function Methods() {
  const { data, error, refetch } = useQuery(methodsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const add = (
    <Button variant="default" onClick={() => setOpen({ what: 'adding' })}>
      {t('Add contact method')}
    </Button>
  );
  return (
    <section className="stack" aria-label={t('Your contact methods')}>
      <div className="row wrap">
        <h2 className="grow">{t('Your contact methods')}</h2>
        {data && data.contact_methods.length > 0 && add}
      </div>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data?.contact_methods.length === 0 && (
        <Empty action={add}>
          {t('Only this dashboard reaches you, while it is open. Add a phone or an address.')}
        </Empty>
      )}
      {data && data.contact_methods.length > 0 && (
        <>
          {data.reachable_by !== 'contact_method' && (
            <p className="card pad ink-watch" role="status">
              {t('A page would not reach you while this dashboard is closed: {why}.', {
                why: data.why_not ?? '',
              })}
            </p>
          )}
          <Lines list={data} show={setOpen} />
        </>
      )}
      {open && data && <Dialog open={open} list={data} show={setOpen} />}
    </section>
  );
}

function Lines({ list, show }: { list: MethodList; show: (open: Open) => void }) {
  const { order, renew } = useMethods();
  const methods = list.contact_methods;
  const dragging = useDragging(
    methods.map(({ id }) => id),
    (ids) => order.mutate(ids),
  );
  return (
    <ul className={`card lines ${classes.list}`}>
      {methods.map((method) => (
        <li
          key={method.id}
          className={`line ${classes.line}`}
          data-over={dragging.over === method.id}
          {...dragging.line(method.id)}
        >
          <MethodLine
            method={method}
            actions={{
              verify: () => show({ what: 'verifying', method, first: null, secret: null }),
              remove: () => show({ what: 'removing', method }),
              renew: () =>
                renew.mutate(method.id, {
                  onSuccess: ({ signing_secret: value }) => show({ what: 'secret', value }),
                }),
              step: (by) => dragging.step(method.id, by),
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function Dialog({ open, list, show }: { open: Open; list: MethodList; show: (open: Open | null) => void }) {
  const { remove } = useMethods();
  const close = () => show(null);
  if (open.what === 'adding')
    return (
      <AddMethod
        list={list}
        close={close}
        done={(added, method) =>
          show({
            what: 'verifying',
            method: { ...method, id: added.id },
            first: added.code,
            secret: added.signing_secret,
          })
        }
      />
    );
  if (open.what === 'verifying') return <VerifyDialog {...open} close={close} />;
  if (open.what === 'secret') return <SecretDialog value={open.value} close={close} />;
  const { method } = open;
  return (
    <ConfirmDialog
      title={t('Remove {method} {address}?', { method: methodOf(method.type).name, address: method.value })}
      keep={t('Keep it')}
      go={t('Remove')}
      busy={remove.isPending}
      close={close}
      act={() => remove.mutate(method.id, { onSuccess: close })}
    >
      {isLastWay(list, method)
        ? t('It is your last contact method. Without it, no page reaches you while this dashboard is closed.')
        : t('Pages no longer go there. To use it again, add it and enter a new code.')}
    </ConfirmDialog>
  );
}

function isLastWay({ contact_methods: methods }: MethodList, method: MethodShown): boolean {
  const ways = methods.filter(({ obstacle }) => obstacle === null);
  return ways.length === 1 && ways[0]?.id === method.id;
}
