import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  channelsOf,
  methodOf,
  WRITTEN_TYPES,
  type WrittenType,
} from '../../../../src/notifications/channels/contract.ts';
import type { AddedMethod, MethodList } from '../../../../src/people/contact-contract.ts';
import { methodsApi } from '../../../../src/people/contact-contract.ts';
import { send } from '../../api/call.ts';
import { fieldError, otherError } from '../../kit/field-error.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../language/t.ts';
import { useMethods } from './use-methods.ts';

/** Adds a contact method. `done` gets the method, to which a code is already on its way. */
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
  const [detailValue, setDetailValue] = useState('');
  const { form, detail } = methodOf(type);
  const add = useMutation({
    mutationFn: () =>
      send(methodsApi.add, { body: { type, value, ...(detail ? { [detail.field]: detailValue } : {}) } }),
    onSuccess: async (added) => {
      done(added, { type, value });
      await refresh();
    },
  });
  const notSetUp = missing(list, type);
  return (
    <FormDialog
      title={t('Add a contact method')}
      close={close}
      send={() => add.mutate()}
      go={t('Add and send a code')}
      ready={value.trim() !== ''}
      busy={add.isPending}
      error={otherError(add.error, ['value', 'chat_user_id'])}
    >
      <Select
        label={t('Kind')}
        data={WRITTEN_TYPES.map((one) => ({ value: one, label: methodOf(one).name }))}
        value={type}
        onChange={(one) => {
          if (one) setType(one as WrittenType);
          add.reset();
        }}
        allowDeselect={false}
      />
      {notSetUp && (
        <p className="ink-watch">
          {notSetUp} {t('Until then, neither codes nor pages can be sent there.')}
        </p>
      )}
      <TextInput
        label={form?.label}
        description={form?.hint}
        placeholder={form?.placeholder}
        inputMode={form?.keyboard}
        required
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={fieldError(add.error, 'value')}
        data-autofocus
      />
      {detail && (
        <TextInput
          label={detail.label}
          description={detail.hint}
          placeholder={detail.placeholder}
          required
          value={detailValue}
          onChange={(event) => setDetailValue(event.currentTarget.value)}
          error={fieldError(add.error, detail.field)}
        />
      )}
    </FormDialog>
  );
}

/** Why nothing can be sent to a method of this type; null when something can. */
function missing({ unavailable }: MethodList, type: WrittenType): string | null {
  const channels = channelsOf(type);
  const first = channels.map((channel) => unavailable[channel]).find(Boolean);
  return channels.every((channel) => unavailable[channel]) ? (first ?? null) : null;
}
