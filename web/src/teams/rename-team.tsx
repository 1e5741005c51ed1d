import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { t } from '../language/t.ts';

export function RenameTeam({ team, close }: { team: TeamSummary; close: () => void }) {
  const { values, set, changes } = useFields({ name: team.name, slug: team.slug });
  const { name, slug } = values;
  const client = useQueryClient();
  const navigate = useNavigate();
  const rename = useMutation({
    mutationFn: () => send(teamsApi.change, { params: { id: team.id }, body: changes }),
    onSuccess: async (changed) => {
      showToast(t('The team is now called {name}.', { name: changed.team.name }));
      close();
      if (changed.team.slug !== team.slug)
        await navigate({ to: '/teams/$slug', params: { slug: changed.team.slug }, replace: true });
      await client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['on-call'] });
    },
  });
  return (
    <FormDialog
      title={t('Rename the team')}
      close={close}
      send={() => rename.mutate()}
      go={t('Save')}
      ready={name.trim() !== '' && slug !== ''}
      busy={rename.isPending}
      error={otherError(rename.error, ['name', 'slug', 'team'])}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(rename.error, 'name')}
        data-autofocus
      />
      <TextInput
        label={t('Slug')}
        description={
          slug === team.slug
            ? t('Programs page the team by its slug.')
            : t('Pages to {team} are refused from then on: change the slug in your tools, too.', {
                team: team.slug,
              })
        }
        required
        maxLength={100}
        value={slug}
        onChange={(event) => set({ slug: event.currentTarget.value })}
        error={fieldError(rename.error, 'slug') ?? fieldError(rename.error, 'team')}
      />
    </FormDialog>
  );
}
