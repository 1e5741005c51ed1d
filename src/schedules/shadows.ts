/** Who is on call to learn: reading and showing the shadows of a schedule. */
import type { Detail } from '../kit/fault.ts';
import { commas, t, tIn } from '../language/contract.ts';
import type { PlanRules, Shadow } from './rules.ts';
import type { ScheduleBody, ScheduleSettings } from './settings-contract.ts';

type ShadowBody = NonNullable<ScheduleBody['shadows']>[number];

export function readShadows(shadows: readonly ShadowBody[]): Shadow[] {
  return shadows.map(({ person, of = null, from, until }) => ({
    userId: person,
    of,
    ...(from ? { from } : {}),
    ...(until ? { until } : {}),
  }));
}

/**
 * Problems with the entries. Field names have the form `shadows[0].until`. `isKnown`: whether an id belongs to an active
 * person.
 */
export function shadowProblems(
  shadows: readonly ShadowBody[] = [],
  isKnown: (userId: string) => boolean,
  notActive: string,
): Detail[] {
  return shadows.flatMap(({ person, of, from, until }, index) => {
    const wrong = (field: string, message: string): Detail => ({
      field: `shadows[${index}].${field}`,
      message,
    });
    return [
      ...(isKnown(person) ? [] : [wrong('person', notActive)]),
      ...(of && !isKnown(of) ? [wrong('of', notActive)] : []),
      ...(of === person ? [wrong('of', t('is the same person; name the person they learn from'))] : []),
      ...(from && until && until < from
        ? [
            wrong(
              'until',
              t('is {until}, which is before from, {from}; give the last day, or leave it out', {
                until,
                from,
              }),
            ),
          ]
        : []),
    ];
  });
}

export function presentShadows({ shadows = [] }: PlanRules): ScheduleSettings['shadows'] {
  return shadows.map(({ userId, of, from = null, until = null }) => ({ person: userId, of, from, until }));
}

/** Such as `Cleo with Ada from 2027-01-01`; `nobody` without shadows. */
export function shadowsText(
  { shadows = [] }: Pick<PlanRules, 'shadows'>,
  nameOf: (userId: string) => string,
): string {
  const texts = shadows.map((shadow) => shadowText(shadow, nameOf));
  return texts.length === 0 ? tIn('a setting of a schedule', 'nobody') : commas(texts.sort());
}

function shadowText({ userId, of, from, until }: Shadow, nameOf: (userId: string) => string): string {
  const name = nameOf(userId);
  const who =
    of === null
      ? tIn('a shadow', '{name} with everybody', { name })
      : tIn('a shadow', '{name} with {other}', { name, other: nameOf(of) });
  if (from && until) return tIn('a shadow', '{who} from {from} until {until}', { who, from, until });
  if (from) return tIn('a shadow', '{who} from {from}', { who, from });
  return until ? tIn('a shadow', '{who} until {until}', { who, until }) : who;
}
