import { parsePattern } from '../../../schedules/pattern.ts';
import type { LayerEntry, ScheduleEntry, StageEntry } from './definition.ts';
import type { Placed } from './place.ts';
import { readPeople, readTimeZone } from './read-common.ts';
import type { Fields, Value } from './value.ts';

const LAYER_KEYS = ['name', 'members', 'time_zone', 'shifts', 'seats'] as const;
const STAGE_KEYS = [
  'stage',
  'members',
  'escalate_after_minutes',
  'seats',
  'time_zone',
  'shifts',
  'layers',
] as const;

const MAX_SEATS = 20;
const DEFAULT_DELAY_MINUTES = 5;
/** Rounds to one second. */
const MIN_DELAY_MINUTES = 0.01;
/** A week; the table's own limit. */
const MAX_DELAY_MINUTES = 10_080;

/** Problems of the pattern are shown at the key that they name. */
export function readPattern(value: Value | undefined): ScheduleEntry['pattern'] {
  const plain = value?.plain();
  if (value === undefined || plain === undefined) return undefined;
  const reading = parsePattern(plain);
  if ('pattern' in reading) return reading.pattern;
  for (const { field, message } of reading.problems) value.problemBelow(field, message);
  return undefined;
}

export function readStages(value: Value | undefined): StageEntry[] | undefined {
  const items = value?.list();
  if (items?.length === 0) value?.problem('is empty; give at least one stage');
  const stages = items?.flatMap((item) => readStage(item) ?? []);
  const seen = new Set<number>();
  for (const { stage } of stages ?? []) {
    if (seen.has(stage.value)) value?.problemBelow(stage.path.slice(value.path.length), 'appears twice');
    seen.add(stage.value);
  }
  return stages;
}

function readStage(value: Value): StageEntry | undefined {
  const fields = value.fields('a stage', STAGE_KEYS);
  if (!fields) return undefined;
  const stage = readStageNumber(fields.require('stage', 'its number; decimals are fine'));
  const layered = fields.get('layers');
  const members = layered ? [] : readMembers(fields);
  const minutes =
    fields.get('escalate_after_minutes')?.number({ min: MIN_DELAY_MINUTES, max: MAX_DELAY_MINUTES }) ??
    DEFAULT_DELAY_MINUTES;
  const seats = readSeats(fields);
  const own = ownPattern(fields, members, seats);
  const layers = layered ? readLayers(layered, fields) : own ? [own] : [];
  if (!stage) return undefined;
  return { stage, members, escalateAfterSeconds: Math.round(minutes * 60), seats, layers };
}

/** A stage that has its own shifts or zone is one with a single layer. */
function ownPattern(
  fields: Fields<'time_zone' | 'shifts'>,
  members: Placed<string>[],
  seats: number,
): LayerEntry | null {
  const pattern = readPattern(fields.get('shifts'));
  const timeZone = readTimeZone(fields.get('time_zone'));
  return pattern || timeZone ? { name: 'everybody', members, timeZone, pattern, seats } : null;
}

function readLayers(value: Value, stage: Fields<(typeof STAGE_KEYS)[number]>): LayerEntry[] {
  for (const key of ['members', 'seats', 'time_zone', 'shifts'] as const)
    stage.get(key)?.problem('stands beside layers; say it in each layer');
  const items = value.list() ?? [];
  if (items.length === 0) value.problem('is empty; give at least one layer, or leave it out');
  const layers = items.flatMap((item) => readLayer(item) ?? []);
  const seats = layers.reduce((sum, layer) => sum + layer.seats, 0);
  if (seats > MAX_SEATS)
    value.problem(`have ${seats} people on call at once; give at most ${MAX_SEATS} in all layers together`);
  return layers;
}

function readLayer(value: Value): LayerEntry | undefined {
  const fields = value.fields('a layer', LAYER_KEYS);
  if (!fields) return undefined;
  const name = fields.require('name', 'a text such as Europe')?.text({ max: 100 });
  const members = readMembers(fields);
  const layer = {
    members,
    timeZone: readTimeZone(fields.get('time_zone')),
    pattern: readPattern(fields.get('shifts')),
    seats: readSeats(fields),
  };
  return name === undefined ? undefined : { name, ...layer };
}

function readMembers(fields: Fields<'members'>): Placed<string>[] {
  return readPeople(fields.require('members', 'a list of email addresses')) ?? [];
}

function readSeats(fields: Fields<'seats'>): number {
  return fields.get('seats')?.number({ min: 1, max: MAX_SEATS, whole: true }) ?? 1;
}

export function readStageNumber(value: Value | undefined): Placed<number> | undefined {
  const number = value?.number({ min: 0, max: 1_000_000 });
  return value && number !== undefined ? value.placed(number) : undefined;
}
