import { FORMATS } from '../../../kit/validation.ts';
import type { MethodReader } from '../description-contract.ts';

const MEMBER_ID_HINT = 'give the member ID from your Slack profile ("Copy member ID"), such as U024BE7LH';

export const chatMethod: MethodReader = {
  value: (text) =>
    text.length >= 1 && text.length <= 200 && FORMATS.text?.(text)
      ? { value: text }
      : { problem: 'is not a name; give the name that you have in Slack, at most 200 characters' },

  /** Slack offers it in a profile as "Copy member ID". */
  detail(text) {
    if (/^[UW][A-Z0-9]{5,30}$/.test(text)) return { value: text };
    return { problem: `${text === '' ? 'is missing' : 'is not a member ID'}; ${MEMBER_ID_HINT}` };
  },
};
