import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type List, type SavedView, viewsApi } from '../../../src/views/api-contract.ts';
import { send } from '../api/call.ts';
import { onCallQuery, sessionQuery } from '../api/queries.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Saves the filters of a list under a name for a team, or renames a view that has been saved. */
export function ViewDialog({
  list,
  query,
  view,
  done,
  close,
}: {
  list: List;
  query: string;
  /** The view to rename; null saves a new one. */
  view: SavedView | null;
  done: (saved: SavedView) => void;
  close: () => void;
}) {
  const session = useQuery(sessionQuery).data;
  const all = useQuery(onCallQuery).data?.teams ?? [];
  const isMember = session?.user.role === 'member';
  const teams = isMember ? session.teams : all;
  const [name, setName] = useState(view?.name ?? '');
  const [chosen, setTeam] = useState<string | null>(null);
  const team = chosen ?? session?.teams[0]?.id ?? teams[0]?.id ?? null;
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      view
        ? send(viewsApi.change, { params: { id: view.id }, body: { name } })
        : send(viewsApi.save, { body: { team: team ?? '', list, name, query } }),
    onSuccess: async (saved) => {
      close();
      showToast(
        view
          ? t('Renamed.')
          : t('“{name}” is saved for {team}.', { name: saved.name, team: saved.team.name }),
      );
      await client.invalidateQueries({ queryKey: ['saved-views'] });
      done(saved);
    },
  });
  return (
    <FormDialog
      title={view ? t('Rename the view') : t('Save the view')}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      ready={name.trim() !== '' && (view !== null || team !== null)}
      busy={save.isPending}
      error={otherError(save.error, ['name', 'team'])}
    >
      <TextInput
        label={t('Name')}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(save.error, 'name')}
        required
        data-autofocus
      />
      {!view && (
        <Select
          label={t('Team')}
          description={t("Everybody can open it; the team's members change it.")}
          data={teams.map(({ id, name: label }) => ({ value: id, label }))}
          value={team}
          onChange={setTeam}
          allowDeselect={false}
          searchable
          error={fieldError(save.error, 'team')}
        />
      )}
    </FormDialog>
  );
}
