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
    name: 'Slack',
    lacking: 'no verified chat',
    codeSent: 'Our app sent you a direct message with a code.',
    repair: 'Check the address',
    form: {
      label: 'Name',
      hint: 'As it stands in Slack',
      placeholder: 'ada',
      keyboard: 'text',
      example: 'the name that the person has in the chat',
    },
    detail: {
      field: 'chat_user_id',
      label: 'Member ID',
      hint: 'In Slack: your profile, the three dots, Copy member ID',
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
