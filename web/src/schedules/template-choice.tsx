import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';
import type { ScheduleForm } from './schedule-form-state.ts';
import { TEMPLATES } from './templates.ts';
import { useTeamMembers } from './use-team-members.ts';

/** Fills a new schedule with the values of a usual one, in which the people of its team take turns. */
export function TemplateChoice({
  team,
  timeZone,
  set,
}: {
  /** The id of the team. */
  team: string | null;
  /** The zone of templates that have none of their own. */
  timeZone: string;
  set: (values: Partial<ScheduleForm>) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const members = useTeamMembers(team);
  const about = TEMPLATES.find(({ name }) => name === chosen)?.about;
  return (
    <section className="stack" aria-label={t('Start with')}>
      <h2>{t('Start with')}</h2>
      <div className="row wrap" style={{ gap: 8 }}>
        {TEMPLATES.map(({ name, fill }) => (
          <Button
            key={name}
            variant={name === chosen ? 'light' : 'default'}
            aria-pressed={name === chosen}
            onClick={() => {
              setChosen(name);
              set({ timeZone, ...fill(members) });
            }}
          >
            {name}
          </Button>
        ))}
      </div>
      <p className="muted" aria-live="polite">
        {about ?? t('A template fills the form. You can change everything before you create the schedule.')}
      </p>
    </section>
  );
}
