const TABS = ['organization', 'channels', 'audit', 'system'] as const;
export type SettingsTab = (typeof TABS)[number];

export function settingsSearch(search: Record<string, unknown>): { tab?: SettingsTab } {
  const tab = TABS.find((one) => one === search.tab);
  return tab ? { tab } : {};
}
