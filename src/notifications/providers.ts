import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { ConfigError } from '../kit/setting.ts';
import { PROVIDER_NAMES, type ProviderName } from './channels/providers-contract.ts';
import { type ChannelSettings, type Providers, providerSettings } from './channels/registry.ts';
import type { CommonSettings, FormValues } from './channels/settings.ts';
import { readSealedProviders } from './providers-store.ts';

/** How often a process looks for providers that were set up through another one, in case it missed the notification. */
const LEARN_EVERY_MS = 5_000;

export type ProviderSource = 'environment' | 'dashboard' | null;

/** The providers as they are set up now: in the environment, which wins, or in the dashboard. */
export type LiveProviders = {
  sourceOf(name: ProviderName): ProviderSource;
  /** The settings as values of the form, without secrets; null if it is not set up. */
  shown(name: ProviderName): FormValues | null;
  /** The environment variables that set it up. */
  variablesOf(name: ProviderName): string[];
  /** The settings that these values of the form result in. @throws ConfigError */
  settingsFor(name: ProviderName, values: FormValues): object;
  /** The current settings. */
  settings: ChannelSettings;
  /** Encrypts and decrypts what is stored. Decrypting returns null if it was encrypted with another key or is damaged. */
  seal(values: FormValues): Buffer;
  open(sealed: Buffer): FormValues | null;
  /** Reads what the dashboard stored, through this process or another one. */
  learn(db: Database): Promise<void>;
  /** Calls `learn` from time to time. */
  duty(db: Database): { name: string; everyMs: number; run(): Promise<boolean> };
};

type Options = {
  /** What channels read for each message. `learn` replaces the settings of providers in it. */
  settings: ChannelSettings;
  /** The settings of the environment. `dashboardProviders` is false if only they apply. */
  config: Providers & Pick<CommonSettings, 'allowPrivateWebhooks'> & { dashboardProviders: boolean };
  sealing: Sealing;
  log: Pick<Log, 'info' | 'warn'>;
  /** Called when a provider was set up, so that its library can be loaded. */
  onSetUp(settings: ChannelSettings): Promise<void>;
};

export function createProviders({ settings, config, sealing, log, onSetUp }: Options): LiveProviders {
  let known: { name: string; sealed: Buffer }[] | null = null;
  const set = new Set<ProviderName>();
  let last = Promise.resolve();

  const isInEnvironment = (name: ProviderName) => providerSettings(name).form.shown(config) !== null;

  function settingsFor(name: ProviderName, values: FormValues): object {
    const { form, read } = providerSettings(name);
    const variables = form.variables(values);
    const entered = read((variable) => variables[variable] ?? null);
    return form.entered(entered, config);
  }

  function open(sealed: Buffer): FormValues | null {
    try {
      return JSON.parse(sealing.open(sealed)) as FormValues;
    } catch {
      return null;
    }
  }

  /** The settings of a stored provider; those of one that is not set up if they cannot be used. */
  function storedSettings(name: ProviderName, sealed: Buffer | undefined): object {
    const { form, read } = providerSettings(name);
    const missing = form.entered(
      read(() => null),
      config,
    );
    if (!sealed) return missing;
    const values = open(sealed);
    try {
      if (values) return settingsFor(name, values);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
    log.warn(
      { provider: name },
      'what the dashboard stored of this provider cannot be used; set it up again',
    );
    return missing;
  }

  async function readStored(db: Database): Promise<void> {
    const rows = await readSealedProviders(db);
    if (isDeepStrictEqual(rows, known)) return;
    const before = new Set(set);
    for (const name of PROVIDER_NAMES) {
      if (isInEnvironment(name)) continue;
      const sealed = rows.find((row) => row.name === name)?.sealed;
      const now = storedSettings(name, sealed);
      Object.assign(settings, now);
      if (providerSettings(name).form.shown(now) === null) set.delete(name);
      else set.add(name);
    }
    if (known !== null || set.size > 0)
      log.info({ before: [...before], providers: [...set] }, 'the providers of the dashboard were read');
    known = rows;
    if (set.size > 0) await onSetUp(settings);
  }

  /** One reading after the other, so that an older one never replaces a newer one. */
  function learn(db: Database): Promise<void> {
    if (!config.dashboardProviders) return Promise.resolve();
    const reading = last.then(() => readStored(db));
    last = reading.catch(() => undefined);
    return reading;
  }

  return {
    settings,
    settingsFor,
    open,
    learn,
    seal: (values) => sealing.seal(JSON.stringify(values)),
    sourceOf: (name) => (isInEnvironment(name) ? 'environment' : set.has(name) ? 'dashboard' : null),
    shown: (name) => providerSettings(name).form.shown(settings),
    variablesOf: (name) =>
      isInEnvironment(name) ? Object.keys(providerSettings(name).form.variables({})) : [],
    duty: (db) => ({
      name: 'learn which providers are set up',
      everyMs: LEARN_EVERY_MS,
      run: () => learn(db).then(() => false),
    }),
  };
}
