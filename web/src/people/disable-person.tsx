import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Leaving, PersonDetail } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Unread } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { leavingQuery } from './queries.ts';

/** Asks for confirmation before a person is disabled, and lists the consequences. */
export function DisablePerson({ person, close }: { person: PersonDetail; close: () => void }) {
  const client = useQueryClient();
  const { data: leaving, error, refetch } = useQuery(leavingQuery(person.id));
  const disable = useMutation({
    mutationFn: () => send(peopleApi.disable, { params: { id: person.id } }),
    onSuccess: () => {
      showToast(`${person.name} is disabled.`);
      close();
    },
    onError: showFailure,
    onSettled: () =>
      Promise.all(
        ['people', 'teams', 'schedules', 'on-call'].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  return (
    <ConfirmDialog
      title={`Disable ${person.name}?`}
      keep={t('Keep them')}
      go="Disable"
      busy={disable.isPending}
      known={leaving !== undefined}
      close={close}
      act={() => disable.mutate()}
    >
      {leaving ? (
        <ul style={{ margin: 0, paddingLeft: 18 }} className="stack tight">
          {leaving.schedules.map(({ id, name, sentence }) => (
            <li key={id} className="strong">
              {name}: {sentence}.
            </li>
          ))}
          {consequences(leaving).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <Unread error={error} again={refetch} rows={1} />
      )}
    </ConfirmDialog>
  );
}

function consequences(leaving: Leaving): string[] {
  const { backstop_of: backstop, stages, teams, api_keys: keys } = leaving;
  return [
    t('They are signed out at once and cannot sign in; nobody can page them.'),
    ...(stages.length > 0 ? [`They leave ${stages.join('; ')}.`] : []),
    ...(backstop.length > 0 ? [`${backstop.join(', ')} loses its backstop: choose another one.`] : []),
    ...(teams.length > 0
      ? [`They leave the ${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}.`]
      : []),
    ...(keys > 0
      ? [`${keys === 1 ? t('Their API key stops') : `Their ${keys} API keys stop`} working.`]
      : []),
    t('Invitations, sign-in links and calendar feeds that they made end as well.'),
    t('Their history is kept. They can be enabled again.'),
  ];
}
