import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Leaving, PersonDetail } from '../../../src/people/person-contract.ts';
import { call } from '../api/call.ts';
import { Ask } from '../kit/ask.tsx';
import { Loading } from '../kit/states.tsx';
import { tell, tellFailure } from '../kit/tell.ts';
import { leavingQuery } from './queries.ts';

/** Asks before somebody is disabled, and says what follows. */
export function DisablePerson({ person, close }: { person: PersonDetail; close: () => void }) {
  const client = useQueryClient();
  const { data: leaving } = useQuery(leavingQuery(person.id));
  const disable = useMutation({
    mutationFn: () => call('POST', `/api/people/${encodeURIComponent(person.id)}/disable`),
    onSuccess: () => {
      tell(`${person.name} is disabled.`);
      close();
    },
    onError: tellFailure,
    onSettled: () =>
      Promise.all(
        ['people', 'teams', 'schedules', 'on-call'].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  return (
    <Ask
      title={`Disable ${person.name}?`}
      keep="Keep them"
      go="Disable"
      busy={disable.isPending}
      close={close}
      act={() => disable.mutate()}
    >
      {leaving ? (
        <ul style={{ margin: 0, paddingLeft: 18 }} className="stack tight">
          {consequences(leaving).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <Loading rows={1} />
      )}
    </Ask>
  );
}

function consequences(leaving: Leaving): string[] {
  const { schedules, backstop_of: backstop, stages, teams, api_keys: keys } = leaving;
  return [
    'They are signed out at once and cannot sign in; nobody can page them.',
    ...schedules.map(({ name, sentence }) => `${name}: ${sentence}.`),
    ...(stages.length > 0 ? [`They leave ${stages.join('; ')}.`] : []),
    ...(backstop.length > 0 ? [`${backstop.join(', ')} loses its backstop: choose another one.`] : []),
    ...(teams.length > 0
      ? [`They leave the ${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}.`]
      : []),
    ...(keys > 0 ? [`${keys === 1 ? 'Their API key stops' : `Their ${keys} API keys stop`} working.`] : []),
    'Invitations, sign-in links and calendar feeds that they made end as well.',
    'What happened with them stays. They can be enabled again.',
  ];
}
