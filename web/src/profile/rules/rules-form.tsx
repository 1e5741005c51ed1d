import { Button, Chip, CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { CHANNEL, CHANNELS, type ChannelName } from '../../../../src/notifications/channels/contract.ts';
import type { RuleShown } from '../../../../src/people/rules-contract.ts';
import { useUnsaved } from '../../kit/use-unsaved.ts';
import { t } from '../../language/t.ts';
import classes from './rules.module.css';

/** Open dashboards receive every page, so rules do not choose the browser channel. */
const CHOSEN = CHANNELS.filter((channel) => CHANNEL[channel].method !== null);

type Draft = { key: number; minutes: string; channels: ChannelName[] };

/** Edits the rules of one urgency. Saving sorts them by time. */
export function RulesForm({
  rules,
  busy,
  error,
  save,
  cancel,
}: {
  rules: readonly RuleShown[];
  busy: boolean;
  error: Error | null;
  save: (rules: RuleShown[]) => void;
  cancel: () => void;
}) {
  const keys = useRef(rules.length);
  const [drafts, setDrafts] = useState<Draft[]>(() =>
    rules.map(({ after_minutes: minutes, channels }, key) => ({ key, minutes: String(minutes), channels })),
  );
  const [first] = useState(drafts);
  useUnsaved(drafts !== first);
  const change = (key: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));
  const add = () => {
    const last = Math.max(0, ...drafts.map(({ minutes }) => Number(minutes) || 0));
    setDrafts([
      ...drafts,
      { key: keys.current++, minutes: String(drafts.length === 0 ? 0 : last + 2), channels: ['voice'] },
    ]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(drafts.map(({ minutes, channels }) => ({ after_minutes: Number(minutes), channels })));
  };
  return (
    <form className="card pad stack" style={{ gap: 18 }} onSubmit={submit}>
      <ul className={classes.rows}>
        {drafts.map((draft, index) => (
          <Row
            key={draft.key}
            draft={draft}
            place={index + 1}
            change={(part) => change(draft.key, part)}
            remove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
      </ul>
      {drafts.length === 0 && <p className="muted">{t('There is no step: add one, or cancel.')}</p>}
      {error && (
        <p className="ink-alarm" role="alert">
          {error.message}
        </p>
      )}
      <div className="row wrap">
        <Button variant="default" onClick={add}>
          {t('Add a step')}
        </Button>
        <span className="grow" />
        <Button variant="default" onClick={cancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={drafts.length === 0}>
          {t('Save the rules')}
        </Button>
      </div>
    </form>
  );
}

function Row({
  draft,
  place,
  change,
  remove,
}: {
  draft: Draft;
  place: number;
  change: (part: Partial<Draft>) => void;
  remove: () => void;
}) {
  return (
    <li className={classes.editing}>
      <TextInput
        className={classes.minutes ?? ''}
        type="number"
        min={0}
        max={1_440}
        step="any"
        required
        aria-label={t('Step {step}: minutes after the page', { step: place })}
        value={draft.minutes}
        onChange={(event) => change({ minutes: event.currentTarget.value })}
        autoFocus={place === 1}
      />
      <span className="muted">{t('min')}</span>
      <Chip.Group
        multiple
        value={draft.channels}
        onChange={(channels) => change({ channels: channels as ChannelName[] })}
      >
        <fieldset
          className={`row wrap grow ${classes.ways}`}
          aria-label={t('Step {step}: ways', { step: place })}
        >
          {CHOSEN.map((channel) => (
            <Chip key={channel} value={channel} size="sm" variant="outline">
              {CHANNEL[channel].words.name}
            </Chip>
          ))}
        </fieldset>
      </Chip.Group>
      <CloseButton
        aria-label={t('Remove step {step}', { step: place })}
        title={t('Remove')}
        onClick={remove}
      />
    </li>
  );
}
