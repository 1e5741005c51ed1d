import { type SettingsChange, SourceSettings } from './contract.ts';

/** The values that a change sets. An unknown name stays, so that a check finds it even if its value is null. */
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

/** The change that keeps none of the earlier settings. */
export function replacedBy(before: SourceSettings, after: SourceSettings): SettingsChange {
  return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after };
}
