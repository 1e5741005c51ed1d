import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';

export const chat = {
  words: {
    get name() {
      return t('Slack');
    },
    get short() {
      return t('chat');
    },
    get way() {
      return t('in the chat');
    },
    get answered() {
      return t('in chat');
    },
    get plural() {
      return t('Chat');
    },
    get explained() {
      return t('Direct messages in Slack.');
    },
    get test() {
      return t('Send a test');
    },
  },
  method: {
    type: 'chat',
    get name() {
      return t('Slack');
    },
    get lacking() {
      return t('no verified chat');
    },
    get codeSent() {
      return t('The app sent you a direct message with a code.');
    },
    get repair() {
      return t('Check the address');
    },
    form: {
      get label() {
        return t('Name');
      },
      get hint() {
        return t('As shown in Slack');
      },
      placeholder: 'ada',
      keyboard: 'text',
      get example() {
        return t('the name that the person has in the chat');
      },
    },
    detail: {
      field: 'chat_user_id',
      get label() {
        return t('Member ID');
      },
      get hint() {
        return t('In Slack: your profile, the three dots, Copy member ID');
      },
      placeholder: 'U024BE7LH',
    },
    signed: false,
    called: false,
    published: true,
    notices: 'from the start',
    shown: (value: string) => value,
    hinted: (value: string) => value,
  },
  byDefault: { high: [0], medium: [0], low: [0] },
  onlyIfUrgent: false,
  mostPerMinute: 20,
  concurrency: 20,
  whenOver: 'change',
} as const satisfies ChannelDescription;
