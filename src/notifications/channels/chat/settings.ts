import { readTogether, readUrl } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';

/** `apiUrl` is Slack's by default, and ends in `/api/`. */
export type SlackSettings = { slack: { botToken: string; signingSecret: string; apiUrl: string } | null };

export const SLACK: ProviderSettings<
  'SLACK_BOT_TOKEN' | 'SLACK_SIGNING_SECRET' | 'SLACK_API_URL',
  SlackSettings
> = {
  names: ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_API_URL'],
  read(read) {
    const given = readTogether(read, ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']);
    const slack = given && {
      botToken: given.SLACK_BOT_TOKEN,
      signingSecret: given.SLACK_SIGNING_SECRET,
      apiUrl: readUrl('SLACK_API_URL', read, ['http:', 'https:']) ?? 'https://slack.com/api/',
    };
    return { slack };
  },
};
