import { TextInput } from '@mantine/core';
import {
  MOST_ACKNOWLEDGE_TIMEOUT_MINUTES,
  MOST_ROUNDS,
} from '../../../src/schedules/acknowledge-timeout-contract.ts';
import { t } from '../language/t.ts';
import form from './form.module.css';
import type { FormPart } from './schedule-form-state.ts';

/** How many rounds a page has, and after how many minutes an acknowledged page that stays open notifies again, for each urgency. */
export function AskAgainFields({ value, set, problems }: FormPart) {
  const { acknowledgeTimeout, askAgain } = value;
  return (
    <div className="stack" style={{ gap: 6 }}>
      <div className={form.fields}>
        <TextInput
          type="number"
          min={1}
          max={MOST_ROUNDS}
          label={t('Rounds')}
          description={t('How often an unanswered page runs through all stages before it expires')}
          value={value.rounds}
          onChange={(event) => set({ rounds: event.currentTarget.value })}
          error={problems.get('rounds')}
        />
      </div>
      <h2>{t('Ask again')}</h2>
      <span className="muted">
        {t(
          'After this many minutes, a page that is acknowledged but still open notifies the person who acknowledged it again, and then escalates. 0: never.',
        )}
      </span>
      <div className={form.fields}>
        <Minutes
          label={t('High urgency')}
          name={t('Ask again at high urgency, in minutes')}
          value={acknowledgeTimeout}
          set={(minutes) => set({ acknowledgeTimeout: minutes })}
          error={problems.get('acknowledge_timeout_minutes')}
        />
        <Minutes
          label={t('Medium urgency')}
          name={t('Ask again at medium urgency, in minutes')}
          value={askAgain.medium}
          set={(medium) => set({ askAgain: { ...askAgain, medium } })}
          error={problems.get('ask_again_medium_minutes')}
        />
        <Minutes
          label={t('Low urgency')}
          name={t('Ask again at low urgency, in minutes')}
          value={askAgain.low}
          set={(low) => set({ askAgain: { ...askAgain, low } })}
          error={problems.get('ask_again_low_minutes')}
        />
      </div>
    </div>
  );
}

function Minutes({
  label,
  name,
  value,
  set,
  error,
}: {
  label: string;
  name: string;
  value: string;
  set: (minutes: string) => void;
  error: string | undefined;
}) {
  return (
    <TextInput
      type="number"
      min={0}
      max={MOST_ACKNOWLEDGE_TIMEOUT_MINUTES}
      label={label}
      aria-label={name}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      error={error}
    />
  );
}
