import { useState } from 'react';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import { HEARTBEAT, type SourceSettings } from '../../../src/sources/contract.ts';
import { type RulesDraft, rulesOf, rulesText, ruleValues } from './rule-values.ts';
import { RulesEditor } from './rules-editor.tsx';
import { RulesShown } from './rules-shown.tsx';
import { TryPanel } from './try-panel.tsx';

/** The rules of a source, which managers edit, and what calls would do, even with rules that are not saved. */
export function SourceRules({ source }: { source: SourceDetail }) {
  const [draft, setDraft] = useState<RulesDraft | null>(null);
  return (
    <>
      {source.may_manage ? (
        <RulesEditor source={source} draft={draft} setDraft={setDraft} />
      ) : (
        <RulesShown source={source} />
      )}
      {source.type !== HEARTBEAT && <TryPanel source={source} unsaved={unsavedSettings(source, draft)} />}
    </>
  );
}

/** The settings with the rules that are not saved; null when all are. */
function unsavedSettings({ settings }: SourceDetail, draft: RulesDraft | null): SourceSettings | null {
  if (!draft || rulesText(draft.rules) === rulesText(ruleValues(settings.rules ?? []))) return null;
  return { ...settings, rules: rulesOf(draft.rules) };
}
