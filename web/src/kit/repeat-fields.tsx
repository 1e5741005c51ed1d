import { Select, TextInput } from '@mantine/core';
import { repeatWords } from '../../../src/calendars/repeat-words-contract.ts';
import { t } from '../language/t.ts';
import { capital } from './detail.ts';
import { REPEAT_CHOICES, type RepeatChoice, ruleOf } from './repeat-words.ts';

/** How often something repeats, and the rule if none of the usual ones fits. */
export function RepeatFields({
  choice,
  rule,
  weekday,
  setChoice,
  setRule,
  choices = REPEAT_CHOICES,
  error,
}: {
  choice: RepeatChoice;
  /** The text that was typed for `other`. */
  rule: string;
  /** Of the first time, 1 for Monday to 7 for Sunday. */
  weekday: number;
  setChoice: (choice: RepeatChoice) => void;
  setRule: (rule: string) => void;
  choices?: readonly RepeatChoice[];
  error?: string | null | undefined;
}) {
  return (
    <>
      <Select
        label={t('Repeats')}
        data={choices.map((value) => ({ value, label: labelOf(value, weekday) }))}
        value={choice}
        onChange={(value) => value && setChoice(value as RepeatChoice)}
        allowDeselect={false}
        error={choice === 'other' ? null : error}
      />
      {choice === 'other' && (
        <TextInput
          label={t('RRULE')}
          description={t('RFC 5545, with FREQ=DAILY, WEEKLY or MONTHLY')}
          placeholder="FREQ=MONTHLY;BYDAY=1SU"
          value={rule}
          onChange={(event) => setRule(event.currentTarget.value)}
          error={error}
          required
        />
      )}
    </>
  );
}

function labelOf(choice: RepeatChoice, weekday: number): string {
  if (choice === 'once') return t('Never');
  return choice === 'other' ? t('By an RRULE') : capital(repeatWords(ruleOf(choice, weekday, '') ?? ''));
}
