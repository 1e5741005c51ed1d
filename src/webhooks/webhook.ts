import type { Detail } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import { settingsProblems } from '../moments/check-settings.ts';
import { adapterFor, INTEGRATIONS } from '../moments/integrations/registry.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';

/** The properties of a webhook that are needed to receive a call. */
export type Webhook = {
  id: string;
  organizationId: string;
  type: string;
  /** If set, calls must be signed with it. */
  signingSecret: string | null;
  /** A page source: its calls page people. Other webhooks only record moments. */
  pages: boolean;
};

export type WebhookDefinition = {
  organizationId: string;
  teamId: string;
  /** Name, unique within the team. */
  name: string;
  /** `custom` or the name of an integration. */
  type: string;
  /** When it stops accepting calls; null for never. */
  expiresAt: Temporal.Instant | null;
  /** Shared with a sender that signs its calls. */
  signingSecret: string | null;
  /** How to turn calls into moments; defaults apply when missing. */
  settings?: WebhookSettings;
  /** An organization user; null when it was created on the operator's command line. */
  createdBy: string | null;
};

/** Everything that is wrong with a webhook that is to be created at `now`. */
export function webhookProblems(definition: WebhookDefinition, now: Temporal.Instant): Detail[] {
  return [
    ...usualProblems(definition, typeProblem(definition.type), now),
    ...settingsProblems(definition.type, definition.settings ?? {}),
  ].filter((problem) => problem !== null);
}

/** What can be wrong with webhooks and page sources alike; each has its own types. */
export function usualProblems(
  { name, type, expiresAt, signingSecret }: Omit<WebhookDefinition, 'settings'>,
  ofType: Detail | null,
  now: Temporal.Instant,
): Detail[] {
  return [
    nameProblem(name),
    ofType,
    expiryProblem(expiresAt, now),
    secretProblem(type, signingSecret),
  ].filter((problem) => problem !== null);
}

function nameProblem(name: string): Detail | null {
  const length = [...name].length;
  if (length >= 1 && length <= 200 && /\S/.test(name) && !name.includes('\u0000')) return null;
  return { field: 'name', message: t('is blank or too long; give a label of 1 to 200 characters') };
}

function typeProblem(type: string): Detail | null {
  if (adapterFor(type)) return null;
  const message = t('is {type}, which is not an integration; give one of {integrations}', {
    type: JSON.stringify(type),
    integrations: INTEGRATIONS.join(', '),
  });
  return { field: 'type', message };
}

function expiryProblem(expiresAt: Temporal.Instant | null, now: Temporal.Instant): Detail | null {
  if (!expiresAt || Temporal.Instant.compare(expiresAt, now) > 0) return null;
  const message = t(
    'is {expiresAt}, which is past; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z in the future, or leave it out',
    {
      expiresAt: instantText(expiresAt),
    },
  );
  return { field: 'expires_at', message };
}

/** The length in characters of secrets for senders that prescribe no format. */
const SECRET_LENGTH = { least: 8, most: 256 };

function secretProblem(type: string, secret: string | null): Detail | null {
  const adapter = adapterFor(type);
  if (secret === null || !adapter) return null;
  const message = adapter.verify
    ? (adapter.checkSecret ?? usualSecretProblem)(secret)
    : t('is set, but {type} does not sign its calls, so all of them would be refused; leave it out', {
        type,
      });
  return message === null ? null : { field: 'signing_secret', message };
}

function usualSecretProblem(secret: string): string | null {
  const { least, most } = SECRET_LENGTH;
  if (secret.length >= least && secret.length <= most && /^[\x21-\x7e]+$/.test(secret)) return null;
  return t('cannot be used by a sender; give {least} to {most} letters, digits and symbols without spaces', {
    least,
    most,
  });
}
