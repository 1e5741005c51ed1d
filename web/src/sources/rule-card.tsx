import { ActionIcon, NumberInput, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { MOST_WAIT_MINUTES, type SourceUrgency } from '../../../src/sources/contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { fieldError, ownError } from '../kit/field-error.ts';
import { nothingFound } from '../kit/nothing-found.ts';
import { t, tIn } from '../language/t.ts';
import form from '../schedules/form.module.css';
import { teamsQuery } from '../teams/queries.ts';
import { RuleMatchers, type RuleProps } from './rule-matchers.tsx';
import type { RuleRecipient } from './rule-values.ts';

const URGENCIES: { value: SourceUrgency | ''; label: string }[] = [
  { value: '', label: t('By its severity') },
  { value: 'high', label: t('High') },
  { value: 'medium', label: t('Medium') },
  { value: 'low', label: t('Low') },
];
const EFFECTS = [
  { value: 'page', label: tIn('what a rule does', 'Page') },
  { value: 'ignore', label: t('Page nobody') },
];

/** One rule: what it matches, what it does, and its position. `team`: the name of the team of the source. */
export function RuleCard({
  last,
  move,
  remove,
  team,
  ...of
}: RuleProps & { last: boolean; move: (by: -1 | 1) => void; remove: () => void; team: string }) {
  const { rule, number, field, set, error } = of;
  const problem = ownError(error, field) ?? ownError(error, `${field}.then`);
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className="card pad stack" aria-label={t('Rule {number}', { number })} onKeyDownCapture={keys}>
      <div className="row" style={{ gap: 6 }}>
        <b className="grow">{t('Rule {number}', { number })}</b>
        <Move name={t('Move rule {number} up', { number })} by={-1} disabled={number === 1} move={move} />
        <Move name={t('Move rule {number} down', { number })} by={1} disabled={last} move={move} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Remove rule {number}', { number })}
          onClick={remove}
        >
          ✕
        </ActionIcon>
      </div>
      <RuleMatchers {...of} />
      <div className={form.fields}>
        <Select
          label={t('Then')}
          data={EFFECTS}
          value={rule.effect}
          onChange={(next) =>
            set(next === 'ignore' ? { effect: 'ignore', urgency: '' } : { effect: 'page', urgency: 'high' })
          }
          allowDeselect={false}
        />
        {rule.effect === 'page' && <PageFields {...of} team={team} />}
      </div>
      {problem && (
        <p className="ink-alarm" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

function Move({
  name,
  by,
  disabled,
  move,
}: {
  name: string;
  by: -1 | 1;
  disabled: boolean;
  move: (by: -1 | 1) => void;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={name}
      data-moves={by}
      disabled={disabled}
      onClick={() => move(by)}
    >
      {by < 0 ? '↑' : '↓'}
    </ActionIcon>
  );
}

function PageFields(of: RuleProps & { team: string }) {
  const { rule, field, set, error } = of;
  return (
    <>
      <Select
        label={t('Urgency')}
        data={URGENCIES}
        value={rule.urgency}
        onChange={(next) => set({ urgency: URGENCIES.find(({ value }) => value === next)?.value ?? '' })}
        error={fieldError(error, `${field}.then.urgency`)}
        allowDeselect={false}
      />
      <RecipientFields {...of} />
      {rule.to !== 'person' && (
        <NumberInput
          label={t('Start at stage')}
          placeholder={t('The first')}
          min={0}
          value={rule.stage}
          onChange={(stage) => set({ stage })}
          error={fieldError(error, `${field}.then.stage`)}
        />
      )}
      <NumberInput
        label={t('Wait before paging')}
        placeholder={t('As in your settings')}
        suffix={` ${t('min')}`}
        min={0}
        max={MOST_WAIT_MINUTES}
        allowDecimal={false}
        value={rule.wait}
        onChange={(wait) => set({ wait })}
        error={fieldError(error, `${field}.then.wait_minutes`)}
      />
    </>
  );
}

function RecipientFields({ rule, field, set, error, team }: RuleProps & { team: string }) {
  const recipients: { value: RuleRecipient; label: string }[] = [
    { value: 'source', label: team },
    { value: 'team', label: t('Another team') },
    { value: 'person', label: t('A person') },
  ];
  return (
    <>
      <Select
        label={t('Who to page')}
        data={recipients}
        value={rule.to}
        onChange={(next) => set({ to: recipients.find(({ value }) => value === next)?.value ?? 'source' })}
        allowDeselect={false}
      />
      {rule.to === 'team' && (
        <TeamField
          value={rule.team}
          set={(slug) => set({ team: slug })}
          error={fieldError(error, `${field}.then.team`)}
        />
      )}
      {rule.to === 'person' && (
        <PersonField
          value={rule.person}
          set={(person) => set({ person })}
          error={fieldError(error, `${field}.then.person`)}
        />
      )}
    </>
  );
}

type NamedProps = { value: string; set: (value: string) => void; error: string | null };

function TeamField({ value, set, error }: NamedProps) {
  const teams = useQuery(teamsQuery).data?.teams;
  const options = teams?.map(({ slug, name }) => ({ value: slug, label: name }));
  return <NamedField label={t('Team')} options={options} value={value} set={set} error={error} />;
}

function PersonField({ value, set, error }: NamedProps) {
  const people = useQuery(peopleQuery).data?.people;
  const options = people?.map(({ email, name }) => ({ value: email, label: `${name} · ${email}` }));
  return <NamedField label={t('Person')} options={options} value={value} set={set} error={error} />;
}

/** A rule may name somebody in another spelling, or who is no longer in the organization; that is shown as it is. */
function NamedField({
  label,
  options,
  value,
  set,
  error,
}: NamedProps & { label: string; options: { value: string; label: string }[] | undefined }) {
  const known = options?.find((one) => one.value.toLowerCase() === value.toLowerCase());
  const unknown = value !== '' && !known ? [{ value, label: value }] : [];
  return (
    <Select
      label={label}
      placeholder={t('By name')}
      searchable
      data={[...(options ?? []), ...unknown]}
      value={known?.value ?? (value || null)}
      onChange={(next) => set(next ?? '')}
      nothingFoundMessage={nothingFound(options, t('No match'))}
      error={error}
      allowDeselect={false}
    />
  );
}
