import type { Detail } from '../kit/fault.ts';
import { shapeOf } from '../kit/shape.ts';
import { settingFindings } from '../kit/validation.ts';
import { commas, t } from '../language/contract.ts';
import { ISSUE_TRACKERS } from './integrations/issue-filter.ts';
import { WebhookSettings } from './settings-contract.ts';

const SHAPE = shapeOf(WebhookSettings);

/** All problems with the settings of a webhook of this type, as fields below `settings`. */
export function settingsProblems(type: string, settings: unknown): Detail[] {
  return [...settingFindings(SHAPE.findings(settings), 'settings'), ...uselessSettings(type, settings)];
}

/** Settings without any effect are refused. */
function uselessSettings(type: string, settings: unknown): Detail[] {
  if (typeof settings !== 'object' || settings === null) return [];
  const given = Object.keys(settings).filter((name) => name in WebhookSettings.properties);
  if (type === 'custom')
    return given.map((name) => ({
      field: `settings.${name}`,
      message: t('has no effect for custom calls, which carry all values themselves; leave it out'),
    }));
  const useless: Detail[] = [];
  if (given.includes('filter') && !ISSUE_TRACKERS.includes(type))
    useless.push({
      field: 'settings.filter',
      message: t('has no effect for {type}; only issue trackers ({trackers}) have one', {
        ...{ type, trackers: commas(ISSUE_TRACKERS) },
      }),
    });
  if (given.includes('topic') && type !== 'cloudwatch')
    useless.push({
      field: 'settings.topic',
      message: t('has no effect for {type}; only cloudwatch has one', { type }),
    });
  return useless;
}
