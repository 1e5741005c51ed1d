import { Button, CloseButton, Modal, MultiSelect, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamDetail, TeamMember, TeamRole } from '../../../src/people/team-api-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { peopleQuery, sessionQuery } from '../api/queries.ts';
import { nothingFound } from '../kit/nothing-found.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';

/** The members of the team; its managers can change them. */
export function TeamMembers({ detail }: { detail: TeamDetail }) {
  const { people, may_manage } = detail;
  const [adding, setAdding] = useState(false);
  return (
    <section className="stack" aria-label={t('Members')}>
      <h2>{t('Members')}</h2>
      <div className="card lines">
        {people.length === 0 && (
          <p className="line muted">
            {detail.schedules.length > 0
              ? t('Nobody. Pages to the team reach the people of its schedules.')
              : t('Nobody. Without a schedule, no page can reach this team.')}
          </p>
        )}
        {people.map((member) => (
          <Member key={member.id} member={member} detail={detail} />
        ))}
        {may_manage && (
          <div className="line">
            <Button variant="default" onClick={() => setAdding(true)}>
              {t('Add people')}
            </Button>
          </div>
        )}
      </div>
      {adding && <AddPeople detail={detail} close={() => setAdding(false)} />}
    </section>
  );
}

function useMembership(teamId: string) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['teams'] });
    void client.invalidateQueries({ queryKey: ['session'] });
    void client.invalidateQueries({ queryKey: ['people'] });
  };
  const put = (user: string, role: TeamRole) =>
    send(teamsApi.putMember, { params: { id: teamId, user }, body: { role } });
  const remove = (user: string) => send(teamsApi.removeMember, { params: { id: teamId, user } });
  return { put, remove, refresh };
}

function Member({ member, detail }: { member: TeamMember; detail: TeamDetail }) {
  const { team, may_manage } = detail;
  const user = useQuery(sessionQuery).data?.user;
  const self = user?.id === member.id;
  const { put, remove, refresh } = useMembership(team.id);
  const change = useMutation({
    mutationFn: (role: TeamRole) => put(member.id, role),
    onError: showFailure,
    onSettled: refresh,
  });
  const leave = useMutation({
    mutationFn: () => remove(member.id),
    onSuccess: () => {
      const left = t('{name} is no longer in {team}.', { name: member.name, team: team.name });
      // Managers who have left can put nobody back.
      if (!may_manage || (self && user.role === 'member')) return showToast(left);
      showUndo(left, async () => {
        await put(member.id, member.role);
        await refresh();
      });
    },
    onError: showFailure,
    onSettled: refresh,
  });
  return (
    <div className="line" style={{ gap: 10, paddingRight: 10 }}>
      <Avatar person={member} />
      <span className="grow" style={{ overflowWrap: 'anywhere' }}>
        <Link style={{ textDecoration: 'none' }} to="/people/$id" params={{ id: member.id }}>
          {member.name}
        </Link>
        {!may_manage && member.role === 'manager' && <span className="muted"> {t('manages it')}</span>}
      </span>
      {may_manage && (
        <Select
          aria-label={t('Role of {name}', { name: member.name })}
          size="xs"
          w={{ base: 164, sm: 132 }}
          data={[
            { value: 'manager', label: t('Manager') },
            { value: 'member', label: t('Member') },
          ]}
          value={member.role}
          onChange={(role) => role && role !== member.role && change.mutate(role as TeamRole)}
          allowDeselect={false}
        />
      )}
      {(may_manage || self) && (
        <CloseButton
          aria-label={
            self ? t('Leave {team}', { team: team.name }) : t('Remove {name}', { name: member.name })
          }
          title={self ? t('Leave the team') : t('Remove')}
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        />
      )}
    </div>
  );
}

function AddPeople({ detail, close }: { detail: TeamDetail; close: () => void }) {
  const { team, people: members } = detail;
  const { data } = useQuery(peopleQuery);
  const others = (data?.people ?? []).filter(({ id }) => !members.some((member) => member.id === id));
  const [chosen, setChosen] = useState<string[]>([]);
  const { put, refresh } = useMembership(team.id);
  const add = useMutation({
    mutationFn: async () => {
      for (const user of chosen) await put(user, 'member');
    },
    onSuccess: close,
    onError: showFailure,
    onSettled: refresh,
  });
  return (
    <Modal opened onClose={close} title={t('Add people to {team}', { team: team.name })}>
      <div className="stack" style={{ gap: 16 }}>
        <MultiSelect
          label={t('People')}
          description={t('Anyone in the team may acknowledge its pages. Schedules say who is paged.')}
          placeholder={chosen.length === 0 ? t('Name or email') : ''}
          data={others.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
          value={chosen}
          onChange={setChosen}
          searchable
          hidePickedOptions
          nothingFoundMessage={nothingFound(data, t('Nobody with that name; invite them under People'))}
          openOnFocus={false}
          data-autofocus
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button disabled={chosen.length === 0} loading={add.isPending} onClick={() => add.mutate()}>
            {t('Add them')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
