import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { CHANNELS, type ChannelName, type Rule, type Urgency } from './contract.ts';
import type { RulesBody } from './rules-contract.ts';

/** Reads the rules of one urgency, ordered by time, or returns all of their problems. */
export function readRules(urgency: Urgency, body: RulesBody): { rules: Rule[] } | { problems: Detail[] } {
  const problems: Detail[] = [];
  if (body.rules.length === 0)
    problems.push({
      field: 'rules',
      message: t('is empty; give at least one rule, or go back to the defaults'),
    });
  for (const [index, { channels }] of body.rules.entries()) {
    const unknown = channels.filter((channel) => !isChannel(channel));
    const field = `rules[${index}].channels`;
    if (channels.length === 0)
      problems.push({
        field,
        message: t('is empty; give at least one of {channels}', { channels: CHANNELS.join(', ') }),
      });
    if (unknown.length > 0)
      problems.push({
        field,
        message: t('names {unknown}; give some of {channels}', {
          unknown: unknown.join(', '),
          channels: CHANNELS.join(', '),
        }),
      });
  }
  if (problems.length > 0) return { problems };
  const ordered = body.rules.toSorted((a, b) => a.after_minutes - b.after_minutes);
  return {
    rules: ordered.map(({ after_minutes: minutes, channels }, position) => ({
      urgency,
      position,
      afterMs: Math.round(minutes * 60) * 1_000,
      channels: [...new Set(channels.filter(isChannel))],
    })),
  };
}

function isChannel(text: string): text is ChannelName {
  return (CHANNELS as readonly string[]).includes(text);
}
