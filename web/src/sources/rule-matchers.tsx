import { ActionIcon, Button, TextInput } from '@mantine/core';
import { MOST_MATCHERS } from '../../../src/sources/contract.ts';
import { ownError } from '../kit/field-error.ts';
import { t } from '../language/t.ts';
import type { RuleValues } from './rule-values.ts';

export type RuleProps = {
  rule: RuleValues;
  number: number;
  /** Of the API, for example `settings.rules[0]`. */
  field: string;
  set: (next: Partial<RuleValues>) => void;
  error: Error | null;
};

/** What an event has to be for the rule to decide about it. */
export function RuleMatchers({ rule: { matchers }, number, field, set, error }: RuleProps) {
  const whole = ownError(error, `${field}.match`);
  // The service does not know blank matchers, so it counts without them.
  const placeOf = (index: number) => matchers.slice(0, index).filter((text) => text.trim() !== '').length;
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }} className="stack tight">
      <legend style={{ padding: 0, marginBottom: 4 }}>
        {matchers.length === 1 ? t('If this matches') : t('If all of these match')}
      </legend>
      {matchers.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: matchers have no identity besides their position
        <div className="row" key={index} style={{ alignItems: 'flex-start', gap: 6 }}>
          <TextInput
            className="grow"
            classNames={{ input: 'mono-input' }}
            aria-label={t('Matcher {matcher} of rule {number}', { matcher: index + 1, number })}
            placeholder="severity=critical"
            maxLength={500}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            value={text}
            onChange={(event) => set({ matchers: matchers.with(index, event.currentTarget.value) })}
            error={text.trim() === '' ? null : ownError(error, `${field}.match[${placeOf(index)}]`)}
          />
          {matchers.length > 1 && (
            <ActionIcon
              variant="subtle"
              size="input-sm"
              color="gray"
              aria-label={t('Remove matcher {matcher} of rule {number}', { matcher: index + 1, number })}
              onClick={() => set({ matchers: matchers.toSpliced(index, 1) })}
            >
              ✕
            </ActionIcon>
          )}
        </div>
      ))}
      {whole && (
        <p className="ink-alarm" role="alert">
          {whole}
        </p>
      )}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t('Add a matcher to rule {number}', { number })}
          disabled={matchers.length >= MOST_MATCHERS}
          onClick={() => set({ matchers: [...matchers, ''] })}
        >
          {t('Add a matcher')}
        </Button>
      </div>
    </fieldset>
  );
}
