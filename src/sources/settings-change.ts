import { type SettingsChange, SourceSettings } from './contract.ts';

/** What a change sets. A name that is no setting stays, so that a check finds it even if its value is null. */
export function settingsGiven(change: SettingsChange): SourceSettings {
  return Object.fromEntries(
    Object.entries(change).filter(
      ([name, value]) => value !== null || !Object.hasOwn(SourceSettings.properties, name),
    ),
  );
}

/** The settings after a change. */
export function changedSettings(before: SourceSettings, change: SettingsChange): SourceSettings {
  return settingsGiven({ ...before, ...change });
}

/** The change that leaves nothing of the settings before. */
export function replacedBy(before: SourceSettings, after: SourceSettings): SettingsChange {
  return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after };
}
