import { PRIORITIES } from '../../../src/moments/kinds-contract.ts';
import { t } from '../language/t.ts';
import { PRIORITY_NAMES } from '../moments/words.ts';
import type { WebhookValues } from './form-values.ts';
import { WordRows } from './word-rows.tsx';

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
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
      <legend style={{ padding: 0 }}>
        <b>{t('Severities')}</b>
        <div className="muted">
          {t('Severities of the tool that should have another priority than usual.')}
        </div>
      </legend>
      <WordRows
        rows={priorities}
        change={change}
        options={PRIORITIES.map((value) => ({ value, label: PRIORITY_NAMES[value] })).toReversed()}
        usual="medium"
        what={t('Priority')}
        error={error}
      />
    </fieldset>
  );
}
