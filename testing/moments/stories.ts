import type { MomentState } from '../../src/moments/contract.ts';

/** For each integration, the samples about one moment in order, and its state after each. */
export const STORIES: Record<string, [sample: string, state: MomentState][]> = {
  alertmanager: [
    ['firing', 'open'],
    ['resolved', 'resolved'],
  ],
  'azure-monitor': [
    ['fired', 'open'],
    ['resolved', 'resolved'],
  ],
  'better-stack': [
    ['started', 'open'],
    ['acknowledged', 'acknowledged'],
    ['resolved', 'resolved'],
  ],
  checkly: [
    ['failure', 'open'],
    ['recovery', 'resolved'],
  ],
  cloudwatch: [
    ['alarm', 'open'],
    ['eventbridge', 'open'],
    ['ok', 'resolved'],
  ],
  datadog: [
    ['triggered', 'open'],
    ['no-data', 'open'],
    ['recovered', 'resolved'],
  ],
  github: [
    ['opened', 'open'],
    ['labeled', 'open'],
    ['assigned', 'open'],
    ['closed', 'resolved'],
  ],
  gitlab: [
    ['issue-open', 'open'],
    ['issue-assigned', 'acknowledged'],
    ['issue-close', 'resolved'],
  ],
  'google-cloud-monitoring': [
    ['open', 'open'],
    ['closed', 'resolved'],
  ],
  grafana: [
    ['firing', 'open'],
    ['resolved', 'resolved'],
  ],
  honeycomb: [
    ['triggered', 'open'],
    ['ok', 'resolved'],
  ],
  icinga2: [
    ['service-problem', 'open'],
    ['service-acknowledgement', 'acknowledged'],
    ['service-recovery', 'resolved'],
  ],
  'incident-io': [
    ['created', 'open'],
    ['updated', 'open'],
    ['status-learning', 'resolved'],
    ['status-closed', 'resolved'],
  ],
  jira: [
    ['issue-created', 'open'],
    ['issue-in-progress', 'acknowledged'],
    ['issue-priority-lowered', 'acknowledged'],
    ['issue-done', 'resolved'],
  ],
  linear: [
    ['create', 'open'],
    ['started', 'acknowledged'],
    ['edited', 'acknowledged'],
    ['completed', 'resolved'],
    ['remove', 'resolved'],
  ],
  nagios: [
    ['service-problem', 'open'],
    ['service-acknowledgement', 'acknowledged'],
    ['service-recovery', 'resolved'],
  ],
  newrelic: [
    ['activated', 'open'],
    ['acknowledged', 'acknowledged'],
    ['closed', 'resolved'],
  ],
  opsgenie: [
    ['create', 'open'],
    ['acknowledge', 'acknowledged'],
    ['update-priority', 'acknowledged'],
    ['close', 'resolved'],
  ],
  pagerduty: [
    ['triggered', 'open'],
    ['acknowledged', 'acknowledged'],
    ['priority-updated', 'acknowledged'],
    ['resolved-by-merge', 'resolved'],
  ],
  sentry: [
    ['event-alert-triggered', 'open'],
    ['issue-created', 'open'],
    ['issue-assigned', 'acknowledged'],
    ['issue-resolved', 'resolved'],
  ],
  statuspage: [
    ['investigating', 'open'],
    ['identified', 'open'],
    ['resolved', 'resolved'],
    ['postmortem', 'resolved'],
  ],
  'uptime-kuma': [
    ['down', 'open'],
    ['up', 'resolved'],
  ],
  zabbix: [
    ['problem', 'open'],
    ['acknowledged', 'acknowledged'],
    ['recovery', 'resolved'],
  ],
};

/** Integrations whose calls have no time, so that a call after the end is about a new moment. */
export const WITHOUT_TIME: readonly string[] = ['honeycomb'];
