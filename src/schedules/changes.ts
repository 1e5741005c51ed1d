import { instantText } from '../kit/instant.ts';
import { DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES, DEFAULT_ROUNDS } from './acknowledge-timeout-contract.ts';
import type { OverrideDefinition, ScheduleDefinition, StageDefinition } from './definition.ts';
import { patternText } from './pattern.ts';
import { personText } from './person-rules.ts';
import { type PlanRules, presentShares, rulesText, USUAL_RULES } from './rules.ts';
import { shadowsText } from './shadows.ts';

/** Names of people and teams by id. */
export type Names = ReadonlyMap<string, string>;
/** The settings to compare. The overrides of `after` include those that stay. */
export type Settings = Omit<ScheduleDefinition, 'overrides'> & { overrides: readonly OverrideDefinition[] };

/** The differences between two definitions of a schedule, a sentence each; `before` is null for a new schedule. */
export function scheduleChanges(before: Settings | null, after: Settings, names: Names): string[] {
  if (!before) return creation(after, names);
  return [
    ...(before.name === after.name ? [] : [`name: was ${before.name}, is ${after.name}`]),
    ...settingChanges(before, after, names),
    ...stageChanges(before.stages, after.stages, names),
    ...overrideChanges(before.overrides, after.overrides, names),
  ];
}

function creation(after: Settings, names: Names): string[] {
  const settings = settingsText(after, names);
  // Leave out settings that have their usual value.
  if (after.holidays !== 'uncovered') settings.delete('holidays');
  if (settings.get('planning') === rulesText(USUAL_RULES)) settings.delete('planning');
  if (settings.get('shares') === 'equal') settings.delete('shares');
  if (settings.get('people') === 'all alike') settings.delete('people');
  if (settings.get('never together') === 'nobody') settings.delete('never together');
  if (settings.get('only with') === 'nobody') settings.delete('only with');
  if (settings.get('shadows') === 'nobody') settings.delete('shadows');
  return [
    `is new: ${[...settings].map(([name, value]) => `${name} ${value}`).join(', ')}`,
    ...stageChanges([], after.stages, names),
    ...overrideChanges([], after.overrides, names),
  ];
}

function settingChanges(before: Settings, after: Settings, names: Names): string[] {
  const was = settingsText(before, names);
  return [...settingsText(after, names)].flatMap(([name, is]) =>
    was.get(name) === is ? [] : [`${name}: was ${was.get(name)}, is ${is}`],
  );
}

function settingsText(settings: Settings, names: Names): Map<string, string> {
  const { backstopUserId, description } = settings;
  return new Map([
    ['team', nameOf(settings.teamId, names)],
    ['description', description === null ? 'none' : JSON.stringify(description)],
    ['enabled', settings.enabled ? 'yes' : 'no'],
    ['time zone', settings.timeZone],
    ['backstop', backstopUserId === null ? 'nobody' : nameOf(backstopUserId, names)],
    ['strategy', settings.strategy],
    ['planned ahead', plural(settings.planAheadWeeks, 'week')],
    ['rest', plural(settings.restHours, 'hour')],
    ['cover', settings.cover],
    ['rounds', `${settings.rounds ?? DEFAULT_ROUNDS}`],
    ['acknowledgement timeout', timeoutText(settings.acknowledgeTimeoutMinutes)],
    ['ask again at medium urgency', timeoutText(settings.askAgainMediumMinutes ?? 0)],
    ['ask again at low urgency', timeoutText(settings.askAgainLowMinutes ?? 0)],
    ['shifts', patternText(settings.pattern)],
    ['planning', rulesText(settings.planning ?? USUAL_RULES)],
    ['shares', sharesText(settings.planning ?? USUAL_RULES, names)],
    ['people', peopleText(settings.planning ?? USUAL_RULES, names)],
    ['never together', groupsText(settings.planning?.neverTogether, names)],
    ['only with', onlyWithText(settings.planning?.onlyWith, names)],
    ['shadows', shadowsText(settings.planning ?? USUAL_RULES, (id) => nameOf(id, names))],
    ['holidays', settings.holidays === 'uncovered' ? 'nobody is on call' : 'weigh more'],
  ]);
}

function sharesText(rules: PlanRules, names: Names): string {
  const shares = [...presentShares(rules)].map(
    ([userId, percent]) => `${nameOf(userId, names)} ${percent} %`,
  );
  return shares.length === 0 ? 'equal' : shares.sort().join(', ');
}

function peopleText({ people: rules = {} }: PlanRules, names: Names): string {
  const texts = Object.entries(rules).flatMap(([userId, own]) => {
    const text = personText(own);
    return text === '' ? [] : [`${nameOf(userId, names)} ${text}`];
  });
  return texts.length === 0 ? 'all alike' : texts.sort().join(', ');
}

function groupsText(groups: PlanRules['neverTogether'] = [], names: Names): string {
  return groups.length === 0 ? 'nobody' : groups.map((group) => people(group, names)).join('; ');
}

/** Such as `Cleo with Ada or Ben; anybody with Ada`. */
function onlyWithText(rules: PlanRules['onlyWith'] = [], names: Names): string {
  const texts = rules.map((rule) => {
    const others = new Intl.ListFormat('en', { type: 'disjunction' }).format(
      rule.with.map((id) => nameOf(id, names)),
    );
    return `${rule.people === null ? 'anybody' : people(rule.people, names)} with ${others}`;
  });
  return texts.length === 0 ? 'nobody' : texts.join('; ');
}

function timeoutText(minutes: number = DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES): string {
  return minutes === 0 ? 'off' : plural(minutes, 'minute');
}

function stageChanges(
  before: readonly StageDefinition[],
  after: readonly StageDefinition[],
  names: Names,
): string[] {
  const gone = before.filter(({ stage }) => !after.some((other) => other.stage === stage));
  return [
    ...gone.map(({ stage }) => `stage ${stage}: is removed`),
    ...after.flatMap((stage) => {
      const was = before.find((other) => other.stage === stage.stage);
      return was ? stageDifferences(was, stage, names) : [newStage(stage, names)];
    }),
  ];
}

function newStage(stage: StageDefinition, names: Names): string {
  if (stage.linkedTo)
    return `stage ${stage.stage}: is new, is linked to ${linkText(stage, names)}, escalates after ${delay(stage)}`;
  const seats = stage.seats === 1 ? '' : `, ${stage.seats} at once`;
  const layers = stage.layers?.length ? `, layers are ${layersText(stage, names)}` : '';
  return `stage ${stage.stage}: is new, members are ${people(stage.memberIds, names)}${seats}, escalates after ${delay(stage)}${layers}`;
}

function stageDifferences(was: StageDefinition, is: StageDefinition, names: Names): string[] {
  const changes: string[] = [];
  const [link, linkNow] = [linkText(was, names), linkText(is, names)];
  if (link !== linkNow) changes.push(`was linked to ${link}, is linked to ${linkNow}`);
  const [before, after] = [people(was.memberIds, names), people(is.memberIds, names)];
  if (was.memberIds.join() !== is.memberIds.join()) changes.push(`members were ${before}, are ${after}`);
  if (delay(was) !== delay(is)) changes.push(`escalated after ${delay(was)}, escalates after ${delay(is)}`);
  if (was.seats !== is.seats) changes.push(`people at once were ${was.seats}, are ${is.seats}`);
  const [layersBefore, layersAfter] = [layersText(was, names), layersText(is, names)];
  if (layersBefore !== layersAfter) changes.push(`layers were ${layersBefore}, are ${layersAfter}`);
  return changes.map((change) => `stage ${is.stage}: ${change}`);
}

function linkText({ linkedTo }: StageDefinition, names: Names): string {
  return linkedTo ? `stage ${linkedTo.stage} of ${nameOf(linkedTo.scheduleId, names)}` : 'nothing';
}

function layersText({ layers }: StageDefinition, names: Names): string {
  if (!layers?.length) return 'none';
  return layers
    .map(({ name, pattern, timeZone, memberIds, seats }) => {
      const how = [pattern ? patternText(pattern) : [], timeZone ?? [], seats > 1 ? `${seats} at once` : []];
      return `${name} (${[people(memberIds, names), ...how.flat()].join('; ')})`;
    })
    .join(', ');
}

function overrideChanges(
  before: readonly OverrideDefinition[],
  after: readonly OverrideDefinition[],
  names: Names,
): string[] {
  const known = new Set(before.map(overrideKey));
  const kept = new Set(after.map(overrideKey));
  return [
    ...after
      .filter((it) => !known.has(overrideKey(it)))
      .map((it) => `override ${overrideText(it, names)}: is new`),
    ...before
      .filter((it) => !kept.has(overrideKey(it)))
      .map((it) => `override ${overrideText(it, names)}: is removed`),
  ];
}

/** Overrides with the same key are the same. */
export function overrideKey({ stage, userId, startsAt, endsAt }: OverrideDefinition): string {
  return [stage, userId, startsAt, endsAt].join(' ');
}

function overrideText({ stage, userId, startsAt, endsAt }: OverrideDefinition, names: Names): string {
  return `by ${nameOf(userId, names)} in stage ${stage} from ${instantText(startsAt)} to ${instantText(endsAt)}`;
}

function delay({ escalateAfterSeconds }: StageDefinition): string {
  return escalateAfterSeconds % 60 === 0
    ? plural(escalateAfterSeconds / 60, 'minute')
    : plural(escalateAfterSeconds, 'second');
}

function people(ids: readonly string[], names: Names): string {
  if (ids.length === 0) return 'nobody';
  return new Intl.ListFormat('en').format(ids.map((id) => nameOf(id, names)));
}

function nameOf(id: string, names: Names): string {
  return names.get(id) ?? id;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
