import { FORMATS } from '../../../kit/validation.ts';
import { t } from '../../../language/contract.ts';
import type { MethodReader } from '../description-contract.ts';

export const chatMethod: MethodReader = {
  value: (text) =>
    text.length >= 1 && text.length <= 200 && FORMATS.text?.(text)
      ? { value: text }
      : { problem: t('is not a name; give your name in Slack, at most 200 characters') },

  /** Slack offers it in a profile as "Copy member ID". */
  detail(text) {
    if (/^[UW][A-Z0-9]{5,30}$/.test(text)) return { value: text };
    return {
      problem:
        text === ''
          ? t('is missing; give the member ID from your Slack profile ("Copy member ID"), such as U024BE7LH')
          : t(
              'is not a member ID; give the member ID from your Slack profile ("Copy member ID"), such as U024BE7LH',
            ),
    };
  },
};
