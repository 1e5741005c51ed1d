const TABS = ['organization', 'channels', 'audit', 'system'] as const;
export type SettingsTab = (typeof TABS)[number];

/** `provider`: the provider whose form is open on the tab of the channels. */
export type SettingsSearch = { tab?: SettingsTab; provider?: string };

export function settingsSearch({ tab, provider }: Record<string, unknown>): SettingsSearch {
  const known = TABS.find((one) => one === tab);
  return {
    ...(known ? { tab: known } : {}),
    ...(typeof provider === 'string' ? { provider } : {}),
  };
}
