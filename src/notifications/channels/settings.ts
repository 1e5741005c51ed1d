import type { Read } from '../../kit/setting.ts';

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
};

/** For channels without a provider. */
export const NO_SETTINGS: ProviderSettings<never, object> = { names: [], read: () => ({}) };
