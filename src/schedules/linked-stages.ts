/**
 * Stages that are linked to a stage of another schedule: the people who are on call there also answer here. Such a
 * stage has no members or shifts of its own. Saving, the operator's file and the escalation use the rules in this file.
 */
import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { ScheduleDefinition, StageLink } from './definition.ts';

/** The properties of a schedule that the rules of links use. */
export type LinkedSchedule = {
  id: string;
  name: string;
  enabled: boolean;
  stages: readonly { stage: number; linkedTo?: StageLink | null }[];
};

/**
 * Problems of a schedule's links, and of its changes for schedules that are linked to it. `id`: null for a new
 * schedule. `others`: the other schedules of the organization as they will be. A link leads to a stage with members,
 * because chains of links could go in circles.
 */
export function linkProblems(
  definition: Pick<ScheduleDefinition, 'enabled' | 'stages'>,
  id: string | null,
  others: readonly LinkedSchedule[],
): Detail[] {
  const own = definition.stages.flatMap((stage, index) =>
    stage.linkedTo ? targetProblems(`stages[${index}].linked_to`, stage.linkedTo, definition, others) : [],
  );
  return [...own, ...(id === null ? [] : breaking(definition, id, others))];
}

function targetProblems(
  field: string,
  { scheduleId, stage }: StageLink,
  { enabled }: { enabled: boolean },
  others: readonly LinkedSchedule[],
): Detail[] {
  if (scheduleId === '')
    return [{ field: `${field}.schedule`, message: t('is missing; give another schedule') }];
  const target = others.find(({ id }) => id === scheduleId);
  if (!target)
    return [
      {
        field: `${field}.schedule`,
        message: t('is {scheduleId}, which is not another schedule of your organization; give one of those', {
          scheduleId,
        }),
      },
    ];
  const name = JSON.stringify(target.name);
  const found = target.stages.find((one) => one.stage === stage);
  if (!found) {
    const known = target.stages.map((one) => one.stage).join(', ');
    return [
      {
        field: `${field}.stage`,
        message: t('is {stage}, which {name} does not have; give one of {known}', { stage, name, known }),
      },
    ];
  }
  if (found.linkedTo)
    return [
      {
        field: `${field}.stage`,
        message: t('is {stage} of {name}, which is itself linked to another schedule; link to that one', {
          stage,
          name,
        }),
      },
    ];
  if (enabled && !target.enabled)
    return [
      { field: `${field}.schedule`, message: t('is {name}, which is disabled; enable it first', { name }) },
    ];
  return [];
}

/** Changes of a schedule that would leave a stage that is linked to it without people. */
function breaking(
  { enabled, stages }: Pick<ScheduleDefinition, 'enabled' | 'stages'>,
  id: string,
  others: readonly LinkedSchedule[],
): Detail[] {
  return linksTo(id, others).flatMap(({ schedule, stage, target }) => {
    const values = { stage, target, name: JSON.stringify(schedule.name) };
    if (!enabled && schedule.enabled)
      return [
        {
          field: 'enabled',
          message: t(
            'is false, but stage {stage} of {name} is linked to this schedule; remove that link first',
            values,
          ),
        },
      ];
    const kept = stages.find((one) => one.stage === target);
    if (kept && !kept.linkedTo) return [];
    return [
      {
        field: 'stages',
        message: kept
          ? t(
              'link stage {target}, to which stage {stage} of {name} is linked; remove that link first',
              values,
            )
          : t(
              'leave out stage {target}, to which stage {stage} of {name} is linked; remove that link first',
              values,
            ),
      },
    ];
  });
}

/** The stages of other schedules that are linked to this one, and to which of its stages. */
export function linksTo(
  id: string,
  others: readonly LinkedSchedule[],
): { schedule: LinkedSchedule; stage: number; target: number }[] {
  return others.flatMap((schedule) =>
    schedule.stages.flatMap(({ stage, linkedTo }) =>
      linkedTo?.scheduleId === id ? [{ schedule, stage, target: linkedTo.stage }] : [],
    ),
  );
}
