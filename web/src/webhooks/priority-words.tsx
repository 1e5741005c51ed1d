import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { PRIORITIES, type Priority } from '../../../src/moments/kinds-contract.ts';
import { PRIORITY_NAMES } from '../moments/words.ts';
import type { WebhookValues } from './form-values.ts';

type Words = WebhookValues['priorities'];

/** Maps the severities of the tool to priorities. */
export function PriorityWords({
  priorities,
  change,
  error,
}: {
  priorities: Words;
  change: (next: Words) => void;
  error: string | null;
}) {
  const put = (key: number, next: Partial<Words[number]>) =>
    change(priorities.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const add = () => {
    const key = Math.max(-1, ...priorities.map((one) => one.key)) + 1;
    change([...priorities, { key, word: '', priority: 'medium' }]);
  };
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
      <legend style={{ padding: 0 }}>
        <b>Severities</b>
        <div className="muted">Where the tool’s word should stand for another priority than usual.</div>
      </legend>
      {priorities.map(({ key, word, priority }) => (
        <div className="row" key={key}>
          <TextInput
            className="grow"
            aria-label="Severity in the tool’s word"
            placeholder="P4, warning, …"
            maxLength={100}
            value={word}
            onChange={(event) => put(key, { word: event.currentTarget.value })}
          />
          <Select
            aria-label={`Priority of ${word || 'this severity'}`}
            w={170}
            data={PRIORITIES.map((value) => ({ value, label: PRIORITY_NAMES[value] })).toReversed()}
            value={priority}
            onChange={(value) => value && put(key, { priority: value as Priority })}
            allowDeselect={false}
          />
          <CloseButton
            aria-label={`Remove ${word || 'this severity'}`}
            onClick={() => change(priorities.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      {error && <p className="ink-alarm">{error}</p>}
      <div>
        <Button variant="default" onClick={add}>
          Add a severity
        </Button>
      </div>
    </fieldset>
  );
}
