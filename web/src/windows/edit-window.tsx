import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type WindowShown, windowsApi } from '../../../src/sources/windows-api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { viewerZone, zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { EffectField } from './effect-field.tsx';
import { MatchField } from './match-field.tsx';
import { matchersOf } from './matchers.ts';

const FIELDS = ['name', 'match', 'ends_at', 'repeats_until'];

/** Changes a window that is not over: its name, its end, what it concerns and does. */
export function EditWindow({ window, close }: { window: WindowShown; close: () => void }) {
  const client = useQueryClient();
  const repeats = window.rrule !== null;
  const zone = window.zone === null ? viewerZone() : zoneOf(window.zone);
  const { values, set, changes } = useFields({
    name: window.name,
    match: window.match.join('\n'),
    effect: window.effect,
    end: zone.toInput(Date.parse(window.ends_at)),
    last: window.repeats_until === null ? '' : zone.date(Date.parse(window.repeats_until) - 1),
  });
  const { name, match, effect, end, last } = values;
  const save = useMutation({
    mutationFn: () => {
      const at = zone.fromInput(end);
      const lastDay = zone.ofDate(last);
      return send(windowsApi.change, {
        params: { id: window.id },
        body: {
          ...('name' in changes ? { name: name.trim() } : {}),
          ...('effect' in changes ? { effect } : {}),
          ...('match' in changes ? { match: matchersOf(match) } : {}),
          ...('end' in changes && !repeats && at !== null ? { ends_at: new Date(at).toISOString() } : {}),
          ...('last' in changes && repeats
            ? { repeats_until: lastDay === null ? null : new Date(zone.addDays(lastDay, 1)).toISOString() }
            : {}),
        },
      });
    },
    onSuccess: async () => {
      close();
      showToast(t('Changed.'));
      await client.invalidateQueries({ queryKey: ['windows'] });
    },
  });
  return (
    <FormDialog
      title={t('Change {name}', { name: window.name })}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      ready={name.trim() !== ''}
      busy={save.isPending}
      error={otherError(save.error, FIELDS)}
    >
      <TextInput
        label={t('Name')}
        maxLength={200}
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(save.error, 'name')}
        required
        data-autofocus
      />
      <MatchField
        value={match}
        set={(next) => set({ match: next })}
        error={fieldError(save.error, 'match')}
      />
      {repeats ? (
        <TextInput
          type="date"
          label={t('Last day')}
          description={t('Empty: until somebody ends it')}
          value={last}
          onChange={(event) => set({ last: event.currentTarget.value })}
          error={fieldError(save.error, 'repeats_until')}
        />
      ) : (
        <TextInput
          type="datetime-local"
          label={t('Until, in {zone}', { zone: zone.city })}
          value={end}
          onChange={(event) => set({ end: event.currentTarget.value })}
          error={fieldError(save.error, 'ends_at')}
          required
        />
      )}
      <EffectField value={effect} set={(next) => set({ effect: next })} />
    </FormDialog>
  );
}
