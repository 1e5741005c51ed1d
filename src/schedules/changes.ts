import { instantText } from '../kit/instant.ts';
import { commas, listed, t, tIn } from '../language/contract.ts';
import { DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES, DEFAULT_ROUNDS } from './acknowledge-timeout-contract.ts';
import type { OverrideDefinition, ScheduleDefinition, StageDefinition } from './definition.ts';
import { patternText } from './pattern-words.ts';
import { personText } from './person-rules.ts';
import { type PlanRules, presentShares, rulesText, USUAL_RULES } from './rules.ts';
import { shadowsText } from './shadows.ts';

/** Names of people and teams by id. */
export type Names = ReadonlyMap<string, string>;
/** The settings to compare. The overrides of `after` include those that stay. */
export type Settings = Omit<ScheduleDefinition, 'overrides'> & { overrides: readonly OverrideDefinition[] };

/**
 * The differences between two definitions of a schedule, a sentence each in the current language; `before` is null for a new
 * schedule.
 */
export function scheduleChanges(before: Settings | null, after: Settings, names: Names): string[] {
  if (!before) return creation(after, names);
  return [
    ...(before.name === after.name ? [] : [wasAndIs(settingName('name'), before.name, after.name)]),
    ...settingChanges(before, after, names),
    ...stageChanges(before.stages, after.stages, names),
    ...overrideChanges(before.overrides, after.overrides, names),
  ];
}

function wasAndIs(setting: string, before: string, after: string): string {
  return t('{setting}: was {before}, is {after}', { setting, before, after });
}

function creation(after: Settings, names: Names): string[] {
  const settings = settingsText(after, names);
  // Leave out settings that have their usual value.
  if (after.holidays !== 'uncovered') settings.delete('holidays');
  if (settings.get('planning') === rulesText(USUAL_RULES)) settings.delete('planning');
  if (settings.get('shares') === equalText()) settings.delete('shares');
  if (settings.get('people') === alikeText()) settings.delete('people');
  if (settings.get('neverTogether') === nobodyText()) settings.delete('neverTogether');
  if (settings.get('onlyWith') === nobodyText()) settings.delete('onlyWith');
  if (settings.get('shadows') === nobodyText()) settings.delete('shadows');
  const all = [...settings].map(([setting, value]) =>
    tIn('a setting of a schedule and its value', '{setting} {value}', {
      setting: settingName(setting),
      value,
    }),
  );
  return [
    tIn('a schedule', 'is new: {settings}', { settings: commas(all) }),
    ...stageChanges([], after.stages, names),
    ...overrideChanges([], after.overrides, names),
  ];
}

function settingChanges(before: Settings, after: Settings, names: Names): string[] {
  const was = settingsText(before, names);
  return [...settingsText(after, names)].flatMap(([setting, is]) =>
    was.get(setting) === is ? [] : [wasAndIs(settingName(setting), was.get(setting) ?? '', is)],
  );
}

type Setting = keyof ReturnType<typeof settingNames>;

function settingName(setting: Setting): string {
  return settingNames()[setting];
}

function settingNames() {
  return {
    name: tIn('a setting of a schedule', 'name'),
    team: tIn('a setting of a schedule', 'team'),
    description: tIn('a setting of a schedule', 'description'),
    enabled: tIn('a setting of a schedule', 'enabled'),
    timeZone: tIn('a setting of a schedule', 'time zone'),
    backstop: tIn('a setting of a schedule', 'backstop'),
    strategy: tIn('a setting of a schedule', 'strategy'),
    ahead: tIn('a setting of a schedule', 'planned ahead'),
    rest: tIn('a setting of a schedule', 'rest'),
    cover: tIn('a setting of a schedule', 'cover'),
    rounds: tIn('a setting of a schedule', 'rounds'),
    timeout: tIn('a setting of a schedule', 'acknowledgement timeout'),
    againMedium: tIn('a setting of a schedule', 'ask again at medium urgency'),
    againLow: tIn('a setting of a schedule', 'ask again at low urgency'),
    shifts: tIn('a setting of a schedule', 'shifts'),
    planning: tIn('a setting of a schedule', 'planning'),
    shares: tIn('a setting of a schedule', 'shares'),
    people: tIn('a setting of a schedule', 'people'),
    neverTogether: tIn('a setting of a schedule', 'never together'),
    onlyWith: tIn('a setting of a schedule', 'only with'),
    shadows: tIn('a setting of a schedule', 'shadows'),
    holidays: tIn('a setting of a schedule', 'holidays'),
  };
}

function settingsText(settings: Settings, names: Names): Map<Setting, string> {
  const { backstopUserId, description } = settings;
  const planning = settings.planning ?? USUAL_RULES;
  return new Map<Setting, string>([
    ['team', nameOf(settings.teamId, names)],
    ['description', description === null ? noneText() : JSON.stringify(description)],
    [
      'enabled',
      settings.enabled ? tIn('a setting of a schedule', 'yes') : tIn('a setting of a schedule', 'no'),
    ],
    ['timeZone', settings.timeZone],
    ['backstop', backstopUserId === null ? nobodyText() : nameOf(backstopUserId, names)],
    ['strategy', strategyText(settings.strategy)],
    ['ahead', t('{count, plural, one {# week} other {# weeks}}', { count: settings.planAheadWeeks })],
    ['rest', t('{count, plural, one {# hour} other {# hours}}', { count: settings.restHours })],
    ['cover', coverText(settings.cover)],
    ['rounds', `${settings.rounds ?? DEFAULT_ROUNDS}`],
    ['timeout', timeoutText(settings.acknowledgeTimeoutMinutes)],
    ['againMedium', timeoutText(settings.askAgainMediumMinutes ?? 0)],
    ['againLow', timeoutText(settings.askAgainLowMinutes ?? 0)],
    ['shifts', patternText(settings.pattern)],
    ['planning', rulesText(planning)],
    ['shares', sharesText(planning, names)],
    ['people', peopleText(planning, names)],
    ['neverTogether', groupsText(planning.neverTogether, names)],
    ['onlyWith', onlyWithText(planning.onlyWith, names)],
    ['shadows', shadowsText(planning, (id) => nameOf(id, names))],
    [
      'holidays',
      settings.holidays === 'uncovered'
        ? tIn('holidays of a schedule', 'nobody is on call')
        : tIn('holidays of a schedule', 'weigh more'),
    ],
  ]);
}

function strategyText(strategy: Settings['strategy']): string {
  return strategy === 'fair' ? tIn('a strategy', 'fair') : tIn('a strategy', 'rotation');
}

function coverText(cover: Settings['cover']): string {
  return cover === 'propose'
    ? tIn('what becomes of covers', 'propose')
    : tIn('what becomes of covers', 'apply');
}

function nobodyText(): string {
  return tIn('a setting of a schedule', 'nobody');
}

function noneText(): string {
  return tIn('a setting of a schedule', 'none');
}

function equalText(): string {
  return tIn('the shares of people', 'equal');
}

function alikeText(): string {
  return tIn('the rules of people', 'all alike');
}

function sharesText(rules: PlanRules, names: Names): string {
  const shares = [...presentShares(rules)].map(([userId, percent]) =>
    t('{name} {percent} %', { name: nameOf(userId, names), percent }),
  );
  return shares.length === 0 ? equalText() : commas(shares.sort());
}

function peopleText({ people: rules = {} }: PlanRules, names: Names): string {
  const texts = Object.entries(rules).flatMap(([userId, own]) => {
    const text = personText(own);
    return text === ''
      ? []
      : [tIn('a person and their rules', '{name} {rules}', { name: nameOf(userId, names), rules: text })];
  });
  return texts.length === 0 ? alikeText() : commas(texts.sort());
}

function groupsText(groups: PlanRules['neverTogether'] = [], names: Names): string {
  return groups.length === 0 ? nobodyText() : groups.map((group) => people(group, names)).join('; ');
}

/** Such as `Cleo with Ada or Ben; anybody with Ada`. */
function onlyWithText(rules: PlanRules['onlyWith'] = [], names: Names): string {
  const texts = rules.map((rule) => {
    const others = listed(
      rule.with.map((id) => nameOf(id, names)),
      'or',
    );
    return rule.people === null
      ? t('anybody with {others}', { others })
      : t('{names} with {others}', { names: people(rule.people, names), others });
  });
  return texts.length === 0 ? nobodyText() : texts.join('; ');
}

function timeoutText(minutes: number = DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES): string {
  return minutes === 0
    ? tIn('a timeout', 'off')
    : t('{count, plural, one {# minute} other {# minutes}}', { count: minutes });
}

function stageChanges(
  before: readonly StageDefinition[],
  after: readonly StageDefinition[],
  names: Names,
): string[] {
  const gone = before.filter(({ stage }) => !after.some((other) => other.stage === stage));
  return [
    ...gone.map(({ stage }) => t('stage {stage}: is removed', { stage: `${stage}` })),
    ...after.flatMap((stage) => {
      const was = before.find((other) => other.stage === stage.stage);
      return was ? stageDifferences(was, stage, names) : [newStage(stage, names)];
    }),
  ];
}

function newStage(stage: StageDefinition, names: Names): string {
  const values = { stage: `${stage.stage}`, time: delay(stage) };
  if (stage.linkedTo)
    return t('stage {stage}: is new, is linked to {link}, escalates after {time}', {
      ...values,
      link: linkText(stage, names),
    });
  const parts = [
    t('stage {stage}: is new, members are {names}', { ...values, names: people(stage.memberIds, names) }),
    ...(stage.seats === 1 ? [] : [seatsText(stage.seats)]),
    t('escalates after {time}', values),
    ...(stage.layers?.length ? [t('layers are {layers}', { layers: layersText(stage, names) })] : []),
  ];
  return commas(parts);
}

function seatsText(count: number): string {
  return t('{count} at once', { count });
}

function stageDifferences(was: StageDefinition, is: StageDefinition, names: Names): string[] {
  const stage = `${is.stage}`;
  const texts: [before: string, after: string, say: (before: string, after: string) => string][] = [
    [
      linkText(was, names),
      linkText(is, names),
      (before, after) =>
        t('stage {stage}: was linked to {before}, is linked to {after}', { stage, before, after }),
    ],
    [
      people(was.memberIds, names),
      people(is.memberIds, names),
      (before, after) => t('stage {stage}: members were {before}, are {after}', { stage, before, after }),
    ],
    [
      delay(was),
      delay(is),
      (before, after) =>
        t('stage {stage}: escalated after {before}, escalates after {after}', { stage, before, after }),
    ],
    [
      `${was.seats}`,
      `${is.seats}`,
      (before, after) =>
        t('stage {stage}: people at once were {before}, are {after}', { stage, before, after }),
    ],
    [
      layersText(was, names),
      layersText(is, names),
      (before, after) => t('stage {stage}: layers were {before}, are {after}', { stage, before, after }),
    ],
  ];
  // Two people can have the same name.
  const isOther = (index: number) => index === 1 && was.memberIds.join() !== is.memberIds.join();
  return texts.flatMap(([before, after, say], index) =>
    before === after && !isOther(index) ? [] : [say(before, after)],
  );
}

function linkText({ linkedTo }: StageDefinition, names: Names): string {
  return linkedTo
    ? t('stage {stage} of {schedule}', {
        stage: `${linkedTo.stage}`,
        schedule: nameOf(linkedTo.scheduleId, names),
      })
    : tIn('what a stage is linked to', 'nothing');
}

function layersText({ layers }: StageDefinition, names: Names): string {
  if (!layers?.length) return noneText();
  return commas(
    layers.map(({ name, pattern, timeZone, memberIds, seats }) => {
      const how = [pattern ? patternText(pattern) : [], timeZone ?? [], seats > 1 ? seatsText(seats) : []];
      return `${name} (${[people(memberIds, names), ...how.flat()].join('; ')})`;
    }),
  );
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
      .map((it) =>
        t('override by {name} in stage {stage} from {from} to {to}: is new', overrideValues(it, names)),
      ),
    ...before
      .filter((it) => !kept.has(overrideKey(it)))
      .map((it) =>
        t('override by {name} in stage {stage} from {from} to {to}: is removed', overrideValues(it, names)),
      ),
  ];
}

/** Overrides with the same key are the same. */
export function overrideKey({ stage, userId, startsAt, endsAt }: OverrideDefinition): string {
  return [stage, userId, startsAt, endsAt].join(' ');
}

function overrideValues({ stage, userId, startsAt, endsAt }: OverrideDefinition, names: Names) {
  return {
    name: nameOf(userId, names),
    stage: `${stage}`,
    from: instantText(startsAt),
    to: instantText(endsAt),
  };
}

function delay({ escalateAfterSeconds }: StageDefinition): string {
  return escalateAfterSeconds % 60 === 0
    ? t('{count, plural, one {# minute} other {# minutes}}', { count: escalateAfterSeconds / 60 })
    : t('{count, plural, one {# second} other {# seconds}}', { count: escalateAfterSeconds });
}

function people(ids: readonly string[], names: Names): string {
  if (ids.length === 0) return nobodyText();
  return listed(ids.map((id) => nameOf(id, names)));
}

function nameOf(id: string, names: Names): string {
  return names.get(id) ?? id;
}
