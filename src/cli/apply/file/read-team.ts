import { isSlug, SLUG_HINT } from '../../../people/slug-contract.ts';
import type { TeamEntry } from './definition.ts';
import type { Placed } from './place.ts';
import { readPeople } from './read-common.ts';
import type { Value } from './value.ts';

export function readTeam(value: Value): TeamEntry | undefined {
  const fields = value.fields('a team', ['name', 'slug', 'members']);
  if (!fields) return undefined;
  const slug = readSlug(fields.require('slug', SLUG_HINT));
  const name = fields.get('name')?.text();
  const members = readPeople(fields.get('members'));
  return slug && { slug, name, members };
}

export function readSlug(value: Value | undefined): Placed<string> | undefined {
  const text = value?.text({ max: 100 });
  if (value === undefined || text === undefined) return undefined;
  if (isSlug(text)) return value.placed(text);
  return value.problem(`is ${JSON.stringify(text)}; give ${SLUG_HINT}`);
}
