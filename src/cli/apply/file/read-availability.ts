import { oneLine } from '../../../kit/one-line.ts';
import type { AvailabilityEntry } from './definition.ts';
import { readEmail, readTimeRange } from './read-common.ts';
import type { Value } from './value.ts';

const TYPES = ['hard_unavailable', 'soft_unavailable', 'requested'] as const;

export function readAvailability(value: Value): AvailabilityEntry | undefined {
  const fields = value.fields('an availability', ['user', 'type', 'name', 'start', 'end']);
  if (!fields) return undefined;
  const user = readEmail(fields.require('user', 'an email address such as ada@example.com'));
  const type = fields.require('type', `one of ${TYPES.join(', ')}`)?.choice(TYPES);
  const name = oneLine(fields.get('name')?.text({ max: 500, blank: true }) ?? '');
  const range = readTimeRange(fields);
  return user && type && range && { user, type, name, ...range };
}
