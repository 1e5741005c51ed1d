import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AddedMethod,
  type MethodList,
  WRITTEN_TYPES,
  type WrittenType,
} from '../../../../src/people/contact-contract.ts';
import { call } from '../../api/call.ts';
import { fieldError, otherError } from '../../kit/field-error.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { TYPE_NAMES } from '../channel-words.ts';
import { useMethods } from './use-methods.ts';

const VALUES: Record<
  WrittenType,
  { label: string; hint: string; placeholder: string; mode: 'tel' | 'email' | 'url' | 'text' }
> = {
  phone: { label: 'Number', hint: 'With its country code', placeholder: '+49 30 1234567', mode: 'tel' },
  email: {
    label: 'Address',
    hint: 'Of a mailbox that you read',
    placeholder: 'ada@example.com',
    mode: 'email',
  },
  chat: { label: 'Name', hint: 'As it stands in Slack', placeholder: 'ada', mode: 'text' },
  webhook: {
    label: 'URL',
    hint: 'Gets a signed JSON POST for each page',
    placeholder: 'https://example.com/pages',
    mode: 'url',
  },
};

/** A new contact method; `done` gets it with its code on the way. */
export function AddMethod({
  list,
  done,
  close,
}: {
  list: MethodList;
  done: (added: AddedMethod, method: { type: WrittenType; value: string }) => void;
  close: () => void;
}) {
  const { refresh } = useMethods();
  const [type, setType] = useState<WrittenType>(
    () => WRITTEN_TYPES.find((one) => !missing(list, one)) ?? 'phone',
  );
  const [value, setValue] = useState('');
  const [memberId, setMemberId] = useState('');
  const add = useMutation({
    mutationFn: () =>
      call<AddedMethod>('POST', '/api/contact-methods', {
        type,
        value,
        ...(type === 'chat' ? { chat_user_id: memberId } : {}),
      }),
    onSuccess: async (added) => {
      done(added, { type, value });
      await refresh();
    },
  });
  const words = VALUES[type];
  const notSetUp = missing(list, type);
  return (
    <FormDialog
      title="Add a way to reach you"
      close={close}
      send={() => add.mutate()}
      go="Add and send a code"
      ready={value.trim() !== ''}
      busy={add.isPending}
      error={otherError(add.error, ['value', 'chat_user_id'])}
    >
      <Select
        label="Kind"
        data={WRITTEN_TYPES.map((one) => ({ value: one, label: TYPE_NAMES[one] }))}
        value={type}
        onChange={(one) => {
          if (one) setType(one as WrittenType);
          add.reset();
        }}
        allowDeselect={false}
      />
      {notSetUp && <p className="ink-watch">{notSetUp} Until then no code can be sent there, and no page.</p>}
      <TextInput
        label={words.label}
        description={words.hint}
        placeholder={words.placeholder}
        inputMode={words.mode}
        required
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={fieldError(add.error, 'value')}
        data-autofocus
      />
      {type === 'chat' && (
        <TextInput
          label="Member ID"
          description="In Slack: your profile, the three dots, Copy member ID"
          placeholder="U024BE7LH"
          required
          value={memberId}
          onChange={(event) => setMemberId(event.currentTarget.value)}
          error={fieldError(add.error, 'chat_user_id')}
        />
      )}
    </FormDialog>
  );
}

/** Why nothing could be sent to a method of this type; null when something could. */
function missing({ unavailable }: MethodList, type: WrittenType): string | null {
  if (type === 'phone') return unavailable.sms && unavailable.voice ? unavailable.sms : null;
  return unavailable[type] ?? null;
}
