import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { t } from '../language/t.ts';

export type WordRow<Value extends string> = { key: number; word: string; value: Value };

/** Rows that each map a word of the sender to a value. `what`: the value’s name, for screen readers. */
export function WordRows<Value extends string>({
  rows,
  change,
  options,
  usual,
  what,
  error,
}: {
  rows: WordRow<Value>[];
  change: (next: WordRow<Value>[]) => void;
  options: { value: Value; label: string }[];
  /** The value of a new row. */
  usual: Value;
  what: string;
  error: string | null;
}) {
  const put = (key: number, next: Partial<WordRow<Value>>) =>
    change(rows.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const add = () => {
    const key = Math.max(-1, ...rows.map((one) => one.key)) + 1;
    change([...rows, { key, word: '', value: usual }]);
  };
  return (
    <>
      {rows.map(({ key, word, value }) => (
        <div className="row" key={key}>
          <TextInput
            className="grow"
            aria-label={t('Severity as the tool calls it')}
            placeholder={t('P4, warning, …')}
            maxLength={100}
            value={word}
            onChange={(event) => put(key, { word: event.currentTarget.value })}
          />
          <Select
            aria-label={word ? t('{what} of {word}', { what, word }) : t('{what} of this severity', { what })}
            w={170}
            data={options}
            value={value}
            onChange={(next) => {
              const chosen = options.find((one) => one.value === next);
              if (chosen) put(key, { value: chosen.value });
            }}
            allowDeselect={false}
          />
          <CloseButton
            aria-label={word ? t('Remove {name}', { name: word }) : t('Remove this severity')}
            onClick={() => change(rows.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      {error && <p className="ink-alarm">{error}</p>}
      <div>
        <Button variant="default" onClick={add}>
          {t('Add a severity')}
        </Button>
      </div>
    </>
  );
}
