import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { INTEGRATIONS } from '../moments/integrations/registry.ts';
import { usualProblems, type WebhookDefinition } from '../webhooks/webhook.ts';
import { settingsProblems } from './check-settings.ts';
import { DIALECTS, HEARTBEAT, type SourceSettings } from './contract.ts';
import { keyProblem } from './key.ts';
import { mayHaveKey } from './url.ts';

/** Types that a source can have. */
export const SOURCE_TYPES: readonly string[] = [...INTEGRATIONS, ...DIALECTS, HEARTBEAT];

/** The longest interval of a heartbeat, in minutes: 31 days. */
const MOST_INTERVAL_MINUTES = 44_640;

export type SourceDefinition = Omit<WebhookDefinition, 'settings'> & {
  settings: SourceSettings;
  /**
   * A key of the system that this source replaces, so that its senders keep it. Null: dialects get a new one,
   * heartbeats none.
   */
  key: string | null;
  /** How often a heartbeat has to call, in minutes; null for all other types. */
  intervalMinutes: number | null;
};

/** Everything that is wrong with a new source, as far as it can be checked without the database. */
export function sourceProblems(definition: SourceDefinition, now: Temporal.Instant): Detail[] {
  const { type, key, intervalMinutes, signingSecret, settings } = definition;
  return [
    ...usualProblems(definition, typeProblem(type), now),
    registeredKeyProblem(type, key),
    unsignedProblem(type, signingSecret),
    intervalProblem(type, intervalMinutes),
    ...settingsProblems(settings),
  ].filter((problem) => problem !== null);
}

function typeProblem(type: string): Detail | null {
  if (SOURCE_TYPES.includes(type)) return null;
  const message = t('is {type}, which is not a type of source; give one of {types}', {
    type: JSON.stringify(type),
    types: SOURCE_TYPES.join(', '),
  });
  return { field: 'type', message };
}

/** Problems of a key that is given for a source of this type. */
export function registeredKeyProblem(type: string, key: string | null): Detail | null {
  if (key === null) return null;
  const message = mayHaveKey(type)
    ? keyProblem(type, key)
    : t(
        'is set, but senders of {type} use a URL instead of a key; leave it out, or choose the type {dialects}',
        { type, dialects: DIALECTS.join(', ') },
      );
  return message === null ? null : { field: 'key', message };
}

function unsignedProblem(type: string, secret: string | null): Detail | null {
  if (secret === null || INTEGRATIONS.includes(type)) return null;
  return {
    field: 'signing_secret',
    message: t('is set, but {type} does not sign its calls, so all of them would be refused; leave it out', {
      type,
    }),
  };
}

function intervalProblem(type: string, minutes: number | null): Detail | null {
  const field = 'interval_minutes';
  const most = MOST_INTERVAL_MINUTES;
  if (type !== HEARTBEAT)
    return minutes === null
      ? null
      : {
          field,
          message: t('is set, but only sources of the type {heartbeat} have one; leave it out', {
            heartbeat: HEARTBEAT,
          }),
        };
  if (minutes === null)
    return {
      field,
      message: t(
        'is missing; give a whole number of minutes from 1 to {most}, after which a heartbeat without a call is late',
        { most },
      ),
    };
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_INTERVAL_MINUTES) return null;
  return {
    field,
    message: t('is {minutes}, out of range; give a whole number of minutes from 1 to {most}', {
      minutes,
      most,
    }),
  };
}
