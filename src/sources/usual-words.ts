import type { Priority } from '../moments/contract.ts';
import type { SourceUrgency } from './contract.ts';
import { urgencyOf } from './urgencies.ts';

/**
 * A word, and the priority that the type's adapter reads from it if it is not among the words that all senders share.
 */
type Word = string | readonly [word: string, priority: Priority];

const P1_TO_P5: readonly Word[] = ['P1', 'P2', 'P3', 'P4', 'P5'];
const SEVERITIES: readonly Word[] = ['critical', 'error', 'warning', 'info'];
const STATES_OF_CHECKS: readonly Word[] = [
  ['DOWN', 'high'],
  ['UNREACHABLE', 'high'],
  'CRITICAL',
  'WARNING',
  ['UNKNOWN', 'medium'],
];

/**
 * The words that senders of a type use for a severity or priority, worst first. Types that are missing have no words of
 * their own.
 */
const WORDS: Readonly<Record<string, readonly Word[]>> = {
  alertmanager: ['critical', 'warning', 'info', 'none'],
  'azure-monitor': [
    ['Sev0', 'high'],
    ['Sev1', 'high'],
    ['Sev2', 'medium'],
    ['Sev3', 'low'],
    ['Sev4', 'low'],
  ],
  custom: SEVERITIES,
  datadog: P1_TO_P5,
  // Those of Site24x7.
  goalert: [['DOWN', 'high'], 'CRITICAL', ['TROUBLE', 'medium']],
  'google-cloud-monitoring': SEVERITIES,
  grafana: ['critical', 'warning', 'info'],
  'grafana-oncall': ['critical', 'warning', 'info'],
  heartbeat: ['critical'],
  honeycomb: SEVERITIES,
  icinga2: STATES_OF_CHECKS,
  nagios: STATES_OF_CHECKS,
  newrelic: ['critical', 'high', 'medium', 'low'],
  opsgenie: P1_TO_P5,
  'opsgenie-api': P1_TO_P5,
  pagerduty: SEVERITIES,
  'pagerduty-events': SEVERITIES,
  sentry: ['fatal', 'error', 'warning', 'info', 'debug'],
  victorops: ['CRITICAL', 'WARNING'],
  zabbix: [
    ['Disaster', 'high'],
    'High',
    ['Average', 'medium'],
    'Warning',
    ['Information', 'low'],
    ['Not classified', 'low'],
  ],
};

/** The usual words of a type, each with its urgency unless a source overrides it. */
export function usualWords(type: string): { word: string; urgency: SourceUrgency }[] {
  return (WORDS[type] ?? []).map((one) => {
    const [word, priority] = typeof one === 'string' ? [one, null] : one;
    return { word, urgency: urgencyOf({ urgency: null, severity: word, priority }, {}, type).urgency };
  });
}
