import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Refusal } from '../api/call.ts';
import { peopleQuery } from '../api/queries.ts';
import { useFields } from '../kit/use-fields.ts';
import { useFormAlert } from '../kit/use-form-alert.ts';
import { useRefusalFocus } from '../kit/use-refusal-focus.ts';
import { t } from '../language/t.ts';
import { FormAlert } from '../sign-in/ended.tsx';
import { AskAgainFields } from './ask-again-fields.tsx';
import { CompanionFields } from './companion-fields.tsx';
import { FirstShifts } from './first-shifts.tsx';
import { NextHandoffs } from './forecast.tsx';
import form from './form.module.css';
import { JuniorFields } from './junior-fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { ListProblem } from './member-rows.tsx';
import { PatternField } from './pattern-field.tsx';
import { fromForm } from './pattern-words.ts';
import { PersonTimeFields } from './person-time-fields.tsx';
import { PlanningFields } from './planning-fields.tsx';
import {
  type FormPart,
  hasRules,
  newStage,
  problemsByField,
  type ScheduleForm,
} from './schedule-form-state.ts';
import { ShadowFields } from './shadow-fields.tsx';
import { ShareFields } from './share-fields.tsx';
import { StageField, within } from './stage-field.tsx';
import { TemplateChoice } from './template-choice.tsx';
import { TIME_ZONES } from './time-zones.ts';
import { TogetherFields } from './together-fields.tsx';

type Team = { id: string; name: string };

/** All fields of a schedule, with a preview of its next hand-offs. */
export function ScheduleFields({
  start,
  teams,
  now,
  error,
  busy,
  save,
  label,
  own,
  children,
}: {
  start: ScheduleForm;
  /** The id of the schedule; null for a new one. */
  own: string | null;
  teams: readonly Team[];
  now: number;
  error: Error | null;
  busy: boolean;
  save: (value: ScheduleForm) => void;
  label: string;
  /** Shown next to the save button. */
  children: ReactNode;
}) {
  const { values: value, set, replaces } = useFields(start);
  const people = useQuery(peopleQuery).data?.people ?? [];
  const problems = useMemo(() => problemsByField(error instanceof Refusal ? error.details : []), [error]);
  const element = useRefusalFocus(busy);
  const fields = useRef<HTMLDivElement>(null);
  const alert = useFormAlert(fields, error);
  const { stages } = value;
  const send = (event: FormEvent) => {
    event.preventDefault();
    save(value);
  };
  return (
    <form ref={element} className={form.columns} onSubmit={send} noValidate>
      <div className="stack" style={{ gap: 24 }}>
        <div className="stack" style={{ gap: 24 }} ref={fields}>
          {own === null && <TemplateChoice team={value.team} timeZone={start.timeZone} set={set} />}
          <section className="stack" aria-label={t('What it is')}>
            <div className={form.fields}>
              <TextInput
                label={t('Name')}
                value={value.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={problems.get('name')}
                required
                maxLength={200}
              />
              <Select
                label={t('Team')}
                data={teams.map(({ id, name }) => ({ value: id, label: name }))}
                value={value.team}
                onChange={(team) => set({ team })}
                error={problems.get('team')}
                allowDeselect={false}
                required
              />
            </div>
            <Textarea
              label={t('Description')}
              value={value.description}
              onChange={(event) => set({ description: event.currentTarget.value })}
              error={problems.get('description')}
              autosize
              minRows={1}
              maxLength={10_000}
            />
            <Switch
              label={t('Enabled: answers pages to its team')}
              checked={value.enabled}
              onChange={(event) => set({ enabled: event.currentTarget.checked })}
              error={problems.get('enabled')}
            />
          </section>
          <section className="stack" aria-label={t('Shifts')}>
            <h2>{t('Shifts')}</h2>
            <Select
              label={t('Time zone')}
              data={TIME_ZONES}
              value={value.timeZone}
              onChange={(timeZone) => timeZone && set({ timeZone })}
              error={problems.get('time_zone')}
              searchable
              allowDeselect={false}
            />
            <PatternField
              value={value.pattern}
              onChange={(pattern) => set({ pattern })}
              error={messages(problems, 'shifts')}
            />
          </section>
          <section className="stack" aria-label={t('Stages')}>
            <h2>{t('Stages, notified one after the other')}</h2>
            {stages.map((stage, index) => (
              <StageField
                // biome-ignore lint/suspicious/noArrayIndexKey: the stage number may be the field that is edited
                key={index}
                value={stage}
                timeZone={value.timeZone}
                team={value.team}
                own={own}
                onChange={(changed) => set({ stages: stages.with(index, changed) })}
                remove={stages.length > 1 ? () => set({ stages: stages.toSpliced(index, 1) }) : null}
                errors={within(problems, `stages[${index}].`)}
              />
            ))}
            <div>
              <Button variant="default" onClick={() => set({ stages: [...stages, newStage(stages)] })}>
                {t('Add a stage')}
              </Button>
            </div>
            <Select
              label={t('Backstop')}
              description={t('Is paged when nobody else answers')}
              placeholder={t('Nobody')}
              data={people.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
              value={value.backstop}
              onChange={(backstop) => set({ backstop })}
              error={problems.get('backstop')}
              searchable
              clearable
            />
            <AskAgainFields value={value} set={set} problems={problems} />
          </section>
          <PlanningFields value={value} set={set} problems={problems} />
          <RuleFields value={value} set={set} problems={problems} opened={hasRules(start)} />
        </div>
        <div className={form.end} data-buttons-below>
          <FormAlert error={alert} />
          {replaces && (
            <p role="status" className="ink-watch">
              {t(
                'Somebody else changed the same settings meanwhile. Save replaces their changes with yours.',
              )}
            </p>
          )}
          {children}
          <Button type="submit" loading={busy}>
            {label}
          </Button>
        </div>
      </div>
      <aside className={`${form.aside} stack`} style={{ gap: 24 }}>
        <NextHandoffs shifts={fromForm(value.pattern)} timeZone={value.timeZone} now={now} />
        {own === null && <FirstShifts value={value} now={now} />}
      </aside>
    </form>
  );
}

/** Fields of the API whose problems are shown among the rules. */
const RULES = /^(?:limits|never_two_juniors|never_together|only_with|shadows|people|shares)\b/;

/** Limits and rules for single people, which most schedules do not need. A problem with one opens them. */
function RuleFields({ opened: openedFirst, ...part }: FormPart & { opened: boolean }) {
  const { value, set, problems } = part;
  const [opened, setOpened] = useState(openedFirst);
  useEffect(() => {
    if ([...problems.keys()].some((field) => RULES.test(field))) setOpened(true);
  }, [problems]);
  return (
    <details
      className={form.rules}
      open={opened}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        {t('Limits, and rules for individual people')}
        <span className="muted">{t('Juniors, groups, shadows, days off, shares')}</span>
      </summary>
      <div className="stack" style={{ gap: 24 }}>
        <LimitFields {...part} />
        <JuniorFields {...part} />
        <TogetherFields {...part} />
        <CompanionFields {...part} />
        <ShadowFields {...part} />
        <PersonTimeFields value={value} set={set} />
        <ListProblem problems={problems} list="people" />
        <ShareFields {...part} />
      </div>
    </details>
  );
}

function messages(problems: ReadonlyMap<string, string>, field: string): string | undefined {
  const found = [...problems].filter(([name]) => name === field || name.startsWith(`${field}.`));
  return found.length > 0 ? found.map(([, message]) => message).join(' ') : undefined;
}
