import type { Read } from '../../kit/setting.ts';

/** What channels know of the installation besides the settings of their own provider. */
export type CommonSettings = {
  /** `ALLOW_PRIVATE_WEBHOOKS`: lets webhooks and push subscriptions reach private and loopback addresses. */
  allowPrivateWebhooks: boolean;
  /**
   * `PUBLIC_URL`, without a slash at the end: where links lead and providers call us back. Read for each message: a worker may learn
   * it from another process.
   */
  publicUrl: string;
  /** Messages to providers go nowhere and count as accepted: for the example, whose people do not exist. */
  mute?: boolean;
};

/** The environment variables of a provider, and how they are read. `read` throws a `ConfigError` for values that cannot work. */
export type ProviderSettings<Name extends string, Settings extends object> = {
  names: readonly Name[];
  read(read: Read<Name>): Settings;
};

/** For channels without a provider. */
export const NO_SETTINGS: ProviderSettings<never, object> = { names: [], read: () => ({}) };
