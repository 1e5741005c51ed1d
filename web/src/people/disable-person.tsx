import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Leaving, PersonDetail } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { asSentence } from '../kit/detail.ts';
import { Unread } from '../kit/states.tsx';
import { inClock } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { commas, t } from '../language/t.ts';
import { leavingQuery } from './queries.ts';

/** Asks for confirmation before a person is disabled, and lists the consequences. */
export function DisablePerson({ person, close }: { person: PersonDetail; close: () => void }) {
  const client = useQueryClient();
  const { data: leaving, error, refetch } = useQuery(leavingQuery(person.id));
  const disable = useMutation({
    mutationFn: () => send(peopleApi.disable, { params: { id: person.id } }),
    onSuccess: () => {
      showToast(t('{name} is disabled.', { name: person.name }));
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
      title={t('Disable {name}?', { name: person.name })}
      keep={t('Keep them')}
      go={t('Disable')}
      busy={disable.isPending}
      known={leaving !== undefined}
      close={close}
      act={() => disable.mutate()}
    >
      {leaving ? (
        <ul style={{ margin: 0, paddingLeft: 18 }} className="stack tight">
          {leaving.schedules.map(({ id, name, sentence }) => (
            <li key={id} className="strong">
              {name}: {inClock(asSentence(sentence))}
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
    t('They are signed out at once, can no longer sign in, and cannot be paged.'),
    ...(stages.length > 0 ? [t('They leave {stages}.', { stages: stages.join('; ') })] : []),
    ...(backstop.length > 0
      ? [
          t(
            '{count, plural, one {{names} loses its backstop: choose another one.} other {{names} lose their backstop: choose another one.}}',
            { names: commas(backstop), count: backstop.length },
          ),
        ]
      : []),
    ...(teams.length > 0
      ? [
          t('{count, plural, one {They leave the team {teams}.} other {They leave the teams {teams}.}}', {
            teams: commas(teams),
            count: teams.length,
          }),
        ]
      : []),
    ...(keys > 0
      ? [
          t('{count, plural, =1 {Their API key stops working.} other {Their # API keys stop working.}}', {
            count: keys,
          }),
        ]
      : []),
    t('Invitations, sign-in links and calendar feeds that they created stop working as well.'),
    t('Their history is kept. They can be enabled again.'),
  ];
}
