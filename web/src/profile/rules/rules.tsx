import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Urgency } from '../../../../src/people/contract.ts';
import type { RulesShown, UrgencyRules } from '../../../../src/people/rules-contract.ts';
import { rulesApi } from '../../../../src/people/rules-contract.ts';
import { send } from '../../api/call.ts';
import { Pill } from '../../kit/pill.tsx';
import { Unread } from '../../kit/states.tsx';
import { showFailure, showToast } from '../../kit/toast.ts';
import { showUndo } from '../../kit/undo.tsx';
import { t } from '../../language/t.ts';
import { rulesQuery } from '../queries.ts';
import { RulesForm } from './rules-form.tsx';
import { RulesTimeline } from './rules-timeline.tsx';

/** What a page sends to the viewer and when, as one timeline for each urgency. */
export function Rules() {
  const { data, error, refetch } = useQuery(rulesQuery);
  const [urgency, setUrgency] = useState<Urgency>('high');
  const [editing, setEditing] = useState(false);
  const shown = data?.urgencies.find((one) => one.urgency === urgency);
  const keep = useKeep();
  const save = useMutation({
    mutationFn: (rules: UrgencyRules['rules']) =>
      send(rulesApi.replace, { params: { urgency }, body: { rules } }),
    onSuccess: async (rules) => {
      setEditing(false);
      await keep(rules);
      showToast(
        t(
          '{urgency, select, high {Pages of high urgency follow these rules from now on.} medium {Pages of medium urgency follow these rules from now on.} other {Pages of low urgency follow these rules from now on.}}',
          { urgency },
        ),
      );
    },
  });
  return (
    <section className="stack" aria-label={t('When a page arrives')}>
      <div className="row wrap">
        <h2 className="grow">{t('When a page arrives')}</h2>
        <SegmentedControl
          aria-label={t('Urgency')}
          value={urgency}
          onChange={(next) => {
            setUrgency(next as Urgency);
            save.reset();
            setEditing(false);
          }}
          data={[
            { value: 'high', label: t('High') },
            { value: 'medium', label: t('Medium') },
            { value: 'low', label: t('Low') },
          ]}
        />
      </div>
      {!data && <Unread error={error} again={refetch} rows={2} />}
      {shown && !editing && <Shown shown={shown} edit={() => setEditing(true)} />}
      {shown && editing && (
        <RulesForm
          key={urgency}
          rules={shown.rules}
          busy={save.isPending}
          error={save.error}
          save={(rules) => save.mutate(rules)}
          cancel={() => {
            save.reset();
            setEditing(false);
          }}
        />
      )}
    </section>
  );
}

function useKeep() {
  const client = useQueryClient();
  return async (rules: RulesShown) => client.setQueryData(rulesQuery.queryKey, rules);
}

function Shown({ shown, edit }: { shown: UrgencyRules; edit: () => void }) {
  const keep = useKeep();
  const reset = useMutation({
    // The defaults may be shown before the answer arrives, so undo restores the rules from before the click.
    mutationFn: ({ urgency }: UrgencyRules) => send(rulesApi.reset, { params: { urgency } }),
    onSuccess: async (after, { urgency, rules }) => {
      await keep(after);
      showUndo(t('The defaults apply again.'), async () =>
        keep(await send(rulesApi.replace, { params: { urgency }, body: { rules } })),
      );
    },
    onError: showFailure,
  });
  return (
    <div className="card pad stack" style={{ gap: 16 }}>
      <div className="row wrap">
        <Pill tone="none">{shown.own ? t('your rules') : t('the defaults')}</Pill>
        <span className="muted grow">
          {t('An open dashboard shows every page at once, regardless of these rules.')}
        </span>
      </div>
      <RulesTimeline shown={shown} />
      <div className="row wrap">
        <Button variant="default" onClick={edit}>
          {t('Change')}
        </Button>
        {shown.own && (
          <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate(shown)}>
            {t('Reset to the defaults')}
          </Button>
        )}
      </div>
    </div>
  );
}
