import { t } from '../../../language/contract.ts';
import type { ProviderDescription } from '../provider-description-contract.ts';

/** The Slack app that sends direct messages. */
export const slack = {
  words: {
    name: 'Slack',
    get explained() {
      return t('An app of your workspace that sends direct messages.');
    },
  },
  fields: {
    bot_token: {
      get label() {
        return t('Bot token');
      },
      get hint() {
        return t('In the settings of the app, under OAuth & Permissions');
      },
      placeholder: 'xoxb-…',
      required: true,
      secret: true,
      choices: null,
      keyboard: 'text',
    },
    signing_secret: {
      get label() {
        return t('Signing secret');
      },
      get hint() {
        return t('In the settings of the app, under Basic Information');
      },
      placeholder: '',
      required: true,
      secret: true,
      choices: null,
      keyboard: 'text',
    },
  },
  callbacks: (base: string) => [
    {
      first: true,
      where: t('Create an app at api.slack.com/apps from this manifest, and install it in your workspace:'),
      value: slackManifest(base),
    },
  ],
} as const satisfies ProviderDescription;

/** The manifest of the app, as Slack reads it. docs/channels.md shows the same. */
function slackManifest(base: string): string {
  return `display_information:
  name: Tocsin
features:
  app_home:
    messages_tab_enabled: true
    messages_tab_read_only_enabled: true
  bot_user:
    display_name: Tocsin
    always_online: true
oauth_config:
  scopes:
    bot:
      - chat:write
settings:
  interactivity:
    is_enabled: true
    request_url: ${base}/callbacks/slack/actions
`;
}
