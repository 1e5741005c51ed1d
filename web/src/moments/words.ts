import type { MomentSummary } from '../../../src/moments/api-contract.ts';
import type { MomentState, MomentType, Priority } from '../../../src/moments/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { shortTime } from '../kit/time.ts';
import { t, tIn } from '../language/t.ts';

export const TYPE_NAMES: Record<MomentType, string> = {
  alert: t('Alert'),
  incident: t('Incident'),
  'near-miss': t('Near miss'),
  page: tIn('a kind of moment', 'Page'),
};

export const PRIORITY_NAMES: Record<Priority, string> = {
  high: t('High priority'),
  medium: t('Medium priority'),
  low: t('Low priority'),
};

/** A moment pages nobody, so even an open one is not shown in the alarm colour. */
const STATES: Record<MomentState, string> = {
  open: tIn('the state of a moment', 'open'),
  acknowledged: tIn('the state of a moment', 'acknowledged'),
  resolved: tIn('the state of a moment', 'resolved'),
};

/** The state of a moment in the language of the dashboard. */
export const momentStateName = (state: string): string => STATES[state as MomentState] ?? state;

export const MOMENT_TONES: Record<MomentState, Tone> = {
  open: 'info',
  acknowledged: 'watch',
  resolved: 'calm',
};

/** `Alert · High priority · Site Reliability · Grafana`. */
export function momentWords({ type, priority, team, source, webhook }: MomentSummary): string {
  const from = source ?? webhook?.name;
  return [TYPE_NAMES[type], PRIORITY_NAMES[priority], team.name, from].filter(Boolean).join(' · ');
}

/** Who acknowledged a moment: `Ada`, or `Ada in Zabbix` where its sender named a person. */
export function acknowledger({ acknowledged_by, acknowledged_as, source, webhook }: MomentSummary): string {
  if (acknowledged_by) return acknowledged_by.name;
  const sender = source ?? webhook?.name;
  if (!acknowledged_as) return t('Its sender');
  return sender ? t('{person} in {tool}', { person: acknowledged_as, tool: sender }) : acknowledged_as;
}

/** The last action on a moment: `Ada acknowledged it today 05:41`. */
export function doneWords(moment: MomentSummary, now: Date): string | null {
  const { state, acknowledged_at, resolved_at, resolved_by } = moment;
  if (state === 'resolved' && resolved_at)
    return t('{who} resolved it {time}.', {
      who: resolved_by?.name ?? t('Its sender'),
      time: shortTime(resolved_at, now),
    });
  if (state === 'acknowledged' && acknowledged_at)
    return t('{who} acknowledged it {time}.', {
      who: acknowledger(moment),
      time: shortTime(acknowledged_at, now),
    });
  return null;
}
