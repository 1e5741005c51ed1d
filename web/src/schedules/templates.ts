import { t } from '../language/t.ts';
import { SHORT_DAYS, toForm, USUAL_HOURS } from './pattern-words.ts';
import {
  type LayerForm,
  newLayer,
  newStage,
  type ScheduleForm,
  type StageForm,
} from './schedule-form-state.ts';

/** A usual kind of schedule. `fill`: the values of the form that it sets, with these people taking turns. */
export type Template = {
  name: string;
  about: string;
  fill: (members: readonly string[]) => Partial<ScheduleForm>;
};

const weekly = (handoff: string, more: Record<string, unknown> = {}) =>
  toForm({ every: 'week', handoff, ...more });

/** Stages with the same people, notified one after the other. */
function stages(count: number, members: readonly string[]): StageForm[] {
  return Array.from({ length: count }).reduce<StageForm[]>(
    (all) => [...all, { ...newStage(all), members: [...members] }],
    [],
  );
}

/** Eight hours of each day by the clock of the schedule, so that there is neither a gap nor an overlap when clocks change. */
function region(name: string, from: string, to: string): LayerForm {
  return {
    ...newLayer(null),
    name,
    pattern: weekly('Monday 00:00', { hours: [{ days: SHORT_DAYS, from, to }] }),
  };
}

export const TEMPLATES: readonly Template[] = [
  {
    name: t('Weekly, with a secondary'),
    about: t(
      'Everybody takes turns for a week, round the clock. If the first person does not answer within five minutes, a second one is paged.',
    ),
    fill: (members) => ({ pattern: weekly('Monday 09:00'), stages: stages(2, members) }),
  },
  {
    name: t('Follow the sun'),
    about: t(
      'Three regions, each with the eight hours of the day that are its working hours. Choose who takes turns in each.',
    ),
    fill: () => ({
      timeZone: 'UTC',
      pattern: weekly('Monday 00:00'),
      stages: stages(1, []).map((stage) => ({
        ...stage,
        layers: [
          region(t('Asia and Australia'), '00:00', '08:00'),
          region(t('Europe and Africa'), '08:00', '16:00'),
          region(t('America'), '16:00', '24:00'),
        ],
      })),
    }),
  },
  {
    name: t('Business hours'),
    about: t(
      'Everybody takes turns for a week, Monday to Friday from 9 to 5. At other times, pages go to the backstop, or to the whole team.',
    ),
    fill: (members) => ({
      pattern: weekly('Monday 09:00', { hours: [USUAL_HOURS] }),
      stages: stages(1, members),
    }),
  },
];
