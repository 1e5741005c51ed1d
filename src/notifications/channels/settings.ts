import type { Read } from '../../kit/setting.ts';
import type { Outcome } from './channel.ts';
import type { ProviderName } from './providers-contract.ts';

/** Settings that all channels share, in addition to those of their own provider. */
export type CommonSettings = {
  /** `ALLOW_PRIVATE_WEBHOOKS`: webhooks and push subscriptions may have private and loopback addresses. */
  allowPrivateWebhooks: boolean;
  /**
   * `PUBLIC_URL`, without a trailing slash: the base of links and of providers' callbacks. Read it for each message,
   * because a worker may learn it later from another process.
   */
  publicUrl: string;
  /** Messages to providers are not sent but recorded as accepted. For the demo, whose people do not exist. */
  mute?: boolean;
};

/** The environment variables of a provider. `read` throws a `ConfigError` for invalid values. */
export type ProviderSettings<Name extends string, Settings extends object> = {
  names: readonly Name[];
  read(read: Read<Name>): Settings;
  /** How owners and admins set it up in the dashboard; absent if only the environment can. */
  form?: ProviderForm<Name, Settings>;
};

/** The values of a provider's form, by field (`PROVIDER` has the fields). */
export type FormValues = Readonly<Record<string, string>>;

/** A fault of one field, which completes a sentence that starts with the field. */
export type FieldFault = { field: string; message: string };

export type ProviderForm<Name extends string = string, Settings extends object = object> = {
  provider: ProviderName;
  /** Fields that say where secrets are sent: if one changes, stored secrets have to be entered again. */
  bound: readonly string[];
  /** What is wrong with values whose required fields are all given. */
  faults(values: FormValues): FieldFault[];
  /** The values of the environment variables that set up the same. */
  variables(values: FormValues): Partial<Record<Name, string>>;
  /**
   * The settings as they apply if people entered them in the dashboard: only the operator, in the environment, says where an API
   * is, and allows private addresses.
   */
  entered(settings: Settings, environment: Settings & Pick<CommonSettings, 'allowPrivateWebhooks'>): Settings;
  /** What these settings are without secrets, as values of the form; null if they are not set up. */
  shown(settings: Settings): FormValues | null;
  /** Signs in to the provider without sending anything. Never throws, and ends soon after `signal` has aborted. */
  check(settings: Settings, signal: AbortSignal): Promise<Outcome>;
};

/** For channels without a provider. */
export const NO_SETTINGS: ProviderSettings<never, object> = { names: [], read: () => ({}) };
