import { readTogether, readUrl } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';
import { checkSlack, type Slack } from './slack-call.ts';

/** `slackApiUrl`: where the API is, also if the environment does not set up Slack. */
export type SlackSettings = { slack: Slack | null; slackApiUrl?: string };

export const SLACK: ProviderSettings<
  'SLACK_BOT_TOKEN' | 'SLACK_SIGNING_SECRET' | 'SLACK_API_URL',
  SlackSettings
> = {
  names: ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_API_URL'],
  read(read) {
    const given = readTogether(read, ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']);
    const apiUrl = readUrl('SLACK_API_URL', read, ['http:', 'https:']) ?? 'https://slack.com/api/';
    const slack = given && {
      botToken: given.SLACK_BOT_TOKEN,
      signingSecret: given.SLACK_SIGNING_SECRET,
      apiUrl,
    };
    return { slack, slackApiUrl: apiUrl };
  },
  form: {
    provider: 'slack',
    bound: [],
    faults: () => [],
    variables: ({ bot_token = '', signing_secret = '' }) => ({
      SLACK_BOT_TOKEN: bot_token,
      SLACK_SIGNING_SECRET: signing_secret,
    }),
    entered: ({ slack }, { slackApiUrl = '' }) => ({
      slack: slack && { ...slack, apiUrl: slackApiUrl },
      slackApiUrl,
    }),
    shown: ({ slack }) => slack && {},
    check: checkSlack,
  },
};
