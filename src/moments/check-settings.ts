import { Ajv } from 'ajv';
import type { Detail } from '../kit/fault.ts';
import { distance, type Finding, FORMATS, findingsToDetails } from '../kit/validation.ts';
import { ISSUE_TRACKERS } from './integrations/issue-filter.ts';
import { WebhookSettings } from './settings.ts';

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, formats: FORMATS });
const validate = ajv.compile(WebhookSettings);

/** Everything that is wrong with the settings of a webhook of this type, as fields below `settings`. */
export function settingsProblems(type: string, settings: unknown): Detail[] {
  const findings = validate(settings) ? [] : (validate.errors as unknown as Finding[]);
  const [unknown, others] = [findings.filter(isUnknownField), findings.filter((one) => !isUnknownField(one))];
  return [
    ...unknown.map(unknownField),
    ...findingsToDetails(others, '').map(({ field, message }) => ({ field: below(field), message })),
    ...uselessSettings(type, settings),
  ];
}

function isUnknownField({ keyword }: Finding): boolean {
  return keyword === 'additionalProperties';
}

function unknownField({ instancePath, params, parentSchema }: Finding): Detail {
  const name = String(params.additionalProperty);
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {});
  const near = known.find((candidate) => distance(name.toLowerCase(), candidate) <= 2);
  const place = instancePath.slice(1).replaceAll('/', '.');
  const field = below([place, name.slice(0, 100)].filter(Boolean).join('.'));
  return {
    field,
    message: `is not a setting; ${near ? `did you mean ${near}?` : `there are ${known.join(', ')}`}`,
  };
}

/** What would silently do nothing is refused. */
function uselessSettings(type: string, settings: unknown): Detail[] {
  if (typeof settings !== 'object' || settings === null) return [];
  const given = Object.keys(settings).filter((name) => name in WebhookSettings.properties);
  if (type === 'custom')
    return given.map((name) => ({
      field: below(name),
      message: 'does nothing for custom calls, which say everything themselves; leave it out',
    }));
  const useless: Detail[] = [];
  if (given.includes('filter') && !ISSUE_TRACKERS.includes(type))
    useless.push({
      field: below('filter'),
      message: `does nothing for ${type}; only issue trackers (${ISSUE_TRACKERS.join(', ')}) have one`,
    });
  if (given.includes('topic') && type !== 'cloudwatch')
    useless.push({ field: below('topic'), message: `does nothing for ${type}; only cloudwatch has one` });
  return useless;
}

function below(field: string): string {
  return field === '' ? 'settings' : `settings.${field}`;
}
