import { NumberInput, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { t } from '../language/t.ts';
import { useAct } from './use-act.ts';

const TIMES = [
  { value: '30', label: t('30 min') },
  { value: '60', label: t('1 h') },
  { value: '240', label: t('4 h') },
  { value: '720', label: t('12 h') },
  { value: '', label: t('Other') },
];

/** Chooses how long to snooze an acknowledged page. */
export function SnoozeDialog({ page, close }: { page: PageSummary; close: () => void }) {
  const [chosen, setChosen] = useState('60');
  const [hours, setHours] = useState<number | string>(24);
  const act = useAct(page.id);
  const minutes = chosen === '' ? Math.round(Number(hours) * 60) : Number(chosen);
  const isPossible = minutes >= 1 && minutes <= 10_080;
  const who = page.acknowledged_by?.name ?? t('The person who acknowledged it');
  return (
    <FormDialog
      title={t('Snooze')}
      close={close}
      send={() => act.mutate({ name: 'snooze', minutes }, { onSuccess: close })}
      go={t('Snooze')}
      ready={isPossible}
      busy={act.isPending}
    >
      <p className="muted">
        {t('{who} is notified again then, unless the page is resolved first.', { who })}
      </p>
      <SegmentedControl
        aria-label={t('Duration')}
        fullWidth
        data={TIMES}
        value={chosen}
        onChange={setChosen}
        data-autofocus
      />
      {chosen === '' && (
        <NumberInput
          label={t('Hours')}
          min={0.1}
          max={168}
          value={hours}
          onChange={setHours}
          error={isPossible ? null : t('Give the hours, at most 168 (a week).')}
          required
        />
      )}
    </FormDialog>
  );
}
