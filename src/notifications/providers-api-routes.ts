import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { may } from '../people/rights.ts';
import { listOrganizations, recordAudit } from '../people/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import type { Outcome } from './channels/channel.ts';
import { withinDeadline } from './channels/outcome.ts';
import { PROVIDER, PROVIDER_NAMES, type ProviderName } from './channels/providers-contract.ts';
import { channelsThrough, providerSettings } from './channels/registry.ts';
import type { FormValues } from './channels/settings.ts';
import { readProviderForm } from './provider-form.ts';
import type { LiveProviders } from './providers.ts';
import { type Provider, providersApi } from './providers-api-contract.ts';
import {
  deleteProvider,
  listStoredProviders,
  lockStoredProvider,
  type StoredProvider,
  saveProvider,
} from './providers-store.ts';

export type ProviderApiServices = {
  db: Database;
  clock: Clock;
  config: { dashboardProviders: boolean };
  providers: LiveProviders;
  /** Makes the other processes read what changed. */
  providersChanged(): Promise<void>;
};

/** The providers of email, SMS, calls and chat: where each is set up, setting it up, checking it, removing it. */
export function providerApiRoutes(api: FastifyInstance, services: ProviderApiServices): void {
  const { db, clock, providers } = services;

  route(api, providersApi.list, async (request) => {
    demandRight(viewerOf(request));
    const locked = await whyLocked(services);
    const stored = await listStoredProviders(db);
    return {
      public_url: providers.settings.publicUrl,
      locked,
      providers: PROVIDER_NAMES.map((name) => present(providers, name, stored, locked === null)),
    };
  });

  route(api, providersApi.change, async (request) => {
    const viewer = viewerOf(request);
    const name = await changeable(services, viewer, request.params.name);
    const values = await db
      .transaction()
      .execute(async (tx) =>
        readProviderForm(name, request.body.values, await openStored(tx, providers, name)),
      );
    if (request.body.check) refuseUnless(await check(name, providers.settingsFor(name, values)));
    await db.transaction().execute(async (tx) => {
      // Somebody else may have changed it during the check, so a kept secret is read again.
      const before = await openStored(tx, providers, name);
      const after = readProviderForm(name, request.body.values, before);
      const at = await clock.now(tx);
      await saveProvider(tx, at, { name, sealed: providers.seal(after), userId: viewer.userId });
      const data = { fields: changedFields(before ?? {}, after), checked: request.body.check };
      await recordAudit(tx, at, viewer.organizationId, viewer.userId, [
        { action: 'provider.set', subject: name, data },
      ]);
    });
    return afterChange(services, name);
  });

  route(api, providersApi.check, async (request) => {
    demandRight(viewerOf(request));
    const name = known(request.params.name);
    if (providers.sourceOf(name) === null)
      throw new Fault('conflict', [{ field: 'name', message: t('is not set up; set it up first') }]);
    const outcome = await check(name, providers.settings);
    if (outcome.kind === 'accepted') return { works: true, error: null, fix: null };
    return {
      works: false,
      error: storedText(outcome.error),
      fix: outcome.problem ? storedText(outcome.problem.fix) : null,
    };
  });

  route(api, providersApi.remove, async (request) => {
    const viewer = viewerOf(request);
    const name = await changeable(services, viewer, request.params.name);
    const removed = await db.transaction().execute(async (tx) => {
      if (!(await deleteProvider(tx, name))) return false;
      await recordAudit(tx, await clock.now(tx), viewer.organizationId, viewer.userId, [
        { action: 'provider.remove', subject: name, data: {} },
      ]);
      return true;
    });
    if (!removed)
      throw new Fault('not_found', [
        { field: 'name', message: t('is not set up in the dashboard, so there is nothing to remove') },
      ]);
    return afterChange(services, name);
  });
}

/** Makes this process use the change before it answers, and the others soon after. */
async function afterChange(
  { db, providers, providersChanged }: ProviderApiServices,
  name: ProviderName,
): Promise<Provider> {
  await providers.learn(db);
  await providersChanged();
  return present(providers, name, await listStoredProviders(db), true);
}

function present(
  providers: LiveProviders,
  name: ProviderName,
  stored: readonly StoredProvider[],
  withValues: boolean,
): Provider {
  const source = providers.sourceOf(name);
  const row = source === 'dashboard' && withValues ? stored.find((one) => one.name === name) : undefined;
  const values = row ? providers.open(row.sealed) : null;
  const isSecret = (field: string) => PROVIDER[name].fields[field]?.secret === true;
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== '');
  return {
    name,
    channels: channelsThrough(name),
    set_by: source,
    values:
      withValues && source === 'environment'
        ? { ...providers.shown(name) }
        : Object.fromEntries(given.filter(([field]) => !isSecret(field))),
    secrets: given.flatMap(([field]) => (isSecret(field) ? [field] : [])),
    variables: providers.variablesOf(name),
    changed_at: instantTextOrNull(row?.changedAt ?? null),
    changed_by: row?.changedBy ?? null,
  };
}

function demandRight(viewer: Viewer): void {
  if (may(viewer, 'providers.manage')) return;
  throw new Fault('forbidden', [
    { field: 'providers', message: t('can only be managed by owners and admins; ask one of them') },
  ]);
}

function known(text: string): ProviderName {
  const name = PROVIDER_NAMES.find((one) => one === text);
  if (name) return name;
  throw new Fault('not_found', [
    { field: 'name', message: t('is not a provider; use {names}', { names: PROVIDER_NAMES.join(', ') }) },
  ]);
}

/** The provider of this name, if the viewer may set it up in the dashboard. */
async function changeable(
  services: ProviderApiServices,
  viewer: Viewer,
  text: string,
): Promise<ProviderName> {
  demandRight(viewer);
  const name = known(text);
  const locked = await whyLocked(services);
  if (locked !== null) throw new Fault('conflict', [{ field: 'name', message: locked }]);
  if (services.providers.sourceOf(name) !== 'environment') return name;
  const names = services.providers.variablesOf(name).join(', ');
  throw new Fault('conflict', [
    {
      field: 'name',
      message: t(
        'is set up by {names} in the environment of the service, which wins; remove them there first',
        {
          names,
        },
      ),
    },
  ]);
}

/**
 * Why nobody can set up providers in the dashboard; null if owners and admins can. All organizations of an installation share
 * its providers, so none of them may change where the messages of the others go.
 */
async function whyLocked({ db, config }: ProviderApiServices): Promise<string | null> {
  if (!config.dashboardProviders)
    return t('DASHBOARD_PROVIDERS is false, so providers are set up in the environment of the service.');
  if ((await listOrganizations(db)).length > 1)
    return t(
      'This service has several organizations, which share its providers, so they are set up in the environment of the service.',
    );
  return null;
}

async function openStored(tx: Tx, providers: LiveProviders, name: ProviderName): Promise<FormValues | null> {
  const sealed = await lockStoredProvider(tx, name);
  return sealed && providers.open(sealed);
}

async function check(name: ProviderName, settings: object): Promise<Outcome> {
  const { form } = providerSettings(name);
  return withinDeadline(undefined, (signal) => form.check(settings, signal));
}

function refuseUnless(outcome: Outcome): void {
  if (outcome.kind === 'accepted') return;
  throw new Fault('bad_request', [{ field: 'provider', message: storedText(outcome.error) }]);
}

/** The names of changed fields, for the audit log, which has no values. */
function changedFields(before: FormValues, after: FormValues): string[] {
  return Object.keys(after).filter((field) => (before[field] ?? '') !== after[field]);
}
