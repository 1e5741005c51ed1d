import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, type FormEvent, type SetStateAction, useLayoutEffect, useRef, useState } from 'react';
import { type SourceDetail, sourcesApi } from '../../../src/sources/api-contract.ts';
import { MOST_RULES } from '../../../src/sources/contract.ts';
import { send } from '../api/call.ts';
import { otherError } from '../kit/field-error.ts';
import { showToast } from '../kit/toast.ts';
import { useUnsaved } from '../kit/use-unsaved.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { FormEnd } from '../webhooks/common-fields.tsx';
import { RuleCard } from './rule-card.tsx';
import {
  completeRules,
  moved,
  newRule,
  type RulesDraft,
  type RuleValues,
  rulesOf,
  rulesText,
  ruleValues,
} from './rule-values.ts';
import { RulesPreview } from './rules-preview.tsx';
import { RulesHead } from './rules-shown.tsx';
import { useTriedCalls } from './use-tried-calls.ts';

type Props = {
  source: SourceDetail;
  /** Null as long as nothing was edited: the saved rules are then shown. */
  draft: RulesDraft | null;
  setDraft: Dispatch<SetStateAction<RulesDraft | null>>;
};

/** The rules of a source in their order, and what they would do with the last calls. */
export function RulesEditor({ source, draft, setDraft }: Props) {
  const saved = ruleValues(source.settings.rules ?? []);
  const rules = draft?.rules ?? saved;
  const changed = rulesText(rules) !== rulesText(saved);
  useUnsaved(changed);
  const complete = completeRules(rules);
  const save = useSave(source, (sent) =>
    // Rules that were edited while they were being saved stay as they are.
    setDraft((now) => (now?.rules === sent ? null : now && { ...now, madeFrom: rulesText(sent) })),
  );
  const preview = useTriedCalls(source, draft ? rulesOf(complete) : null);
  const error = save.error ?? preview.error;
  const edit = (next: RuleValues[]) => {
    save.reset();
    setDraft({ rules: next, madeFrom: draft?.madeFrom ?? rulesText(saved) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(rules);
  };
  return (
    <section className="stack" aria-label={t('Rules')}>
      <RulesHead team={source.team.name} />
      <form className="stack" onSubmit={submit}>
        <RuleList rules={rules} edit={edit} team={source.team.name} error={error} />
        {changed && draft && draft.madeFrom !== rulesText(saved) && (
          <p className="ink-watch" role="status">
            {t('Somebody else changed the rules meanwhile. Save replaces their rules with yours.')}
          </p>
        )}
        {(changed || save.error) && (
          <FormEnd
            error={otherError(
              error,
              rules.map((_, index) => `settings.rules[${index}]`),
            )}
            ready={changed}
            busy={save.isPending}
            undo={changed ? () => setDraft(null) : null}
          />
        )}
      </form>
      {draft && preview.calls.length > 0 && !preview.error && (
        <RulesPreview
          tried={preview.tried}
          leftOut={complete.length < rules.length ? complete.length + 1 : null}
        />
      )}
    </section>
  );
}

function useSave({ id }: SourceDetail, done: (sent: RuleValues[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: RuleValues[]) =>
      send(sourcesApi.change, { params: { id }, body: { settings: { rules: rulesOf(rules) } } }),
    onSuccess: (source, sent) => {
      client.setQueryData(['sources', 'one', id], source);
      done(sent);
      showToast(t('Saved. It applies from the next call.'));
    },
  });
}

const MATCHERS_HELP = (
  <p className="muted">
    <Rich
      text="A matcher is <code>key=value</code>, <code>key!=value</code> or <code>key=~regex</code>, where the regex has to match the whole value. Keys are <code>severity</code>, <code>title</code>, <code>source</code> and the names of labels."
      code={(key) => <code className="mono">{key}</code>}
    />
  </p>
);

/** Rules move by their buttons, and by Alt and an arrow key. */
function RuleList({
  rules,
  edit,
  team,
  error,
}: {
  rules: RuleValues[];
  edit: (rules: RuleValues[]) => void;
  team: string;
  error: Error | null;
}) {
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState('');
  const afterNext = useAfterNext();
  const move = (index: number, by: -1 | 1) => {
    if (!rules[index + by]) return;
    const focused = document.activeElement;
    afterNext(() => focusAgain(focused));
    edit(moved(rules, index, by));
    setSaid(t('Rule {from} is now rule {to}.', { from: index + 1, to: index + 1 + by }));
  };
  const add = () => {
    afterNext(() => list.current?.lastElementChild?.querySelector('input')?.focus());
    edit([...rules, newRule(rules)]);
  };
  const remove = (rule: RuleValues) => {
    afterNext(() => adding.current?.focus());
    edit(rules.filter((one) => one !== rule));
  };
  return (
    <>
      {rules.length > 0 && MATCHERS_HELP}
      {rules.length > 0 && (
        <ol ref={list} className="stack" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              rule={rule}
              number={index + 1}
              field={`settings.rules[${index}]`}
              last={index === rules.length - 1}
              set={(next) => edit(rules.with(index, { ...rule, ...next }))}
              move={(by) => move(index, by)}
              remove={() => remove(rule)}
              team={team}
              error={error}
            />
          ))}
        </ol>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div className="row wrap">
        <Button ref={adding} variant="default" disabled={rules.length >= MOST_RULES} onClick={add}>
          {t('Add a rule')}
        </Button>
        {rules.length > 1 && (
          <span className="muted hotkey-help">
            <Rich
              text="<kbd>Alt ↑</kbd> and <kbd>Alt ↓</kbd> move the focused rule."
              kbd={(key) => <kbd className="kbd">{key}</kbd>}
            />
          </span>
        )}
      </div>
    </>
  );
}

/** Runs something once the next change is on the screen, such as setting the focus. */
function useAfterNext(): (run: () => void) => void {
  const waiting = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const run = waiting.current;
    waiting.current = null;
    run?.();
  });
  return (run) => {
    waiting.current = run;
  };
}

/** An element that moved loses the focus. A button that cannot move its rule further gives it to the other one. */
function focusAgain(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  const enabled = element.matches(':disabled')
    ? element.parentElement?.querySelector<HTMLElement>('[data-moves]:not(:disabled)')
    : element;
  enabled?.focus();
}
